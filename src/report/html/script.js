(function () {
"use strict";
// Filters the samples of this page. Inline scripts are XML, too: no less-than signs and no ampersands.
var NAMES = ["q", "model", "ability", "subgroup", "answers"];
var form = document.getElementById("find");
var found = document.getElementById("found");
var field = {};
NAMES.forEach(function (name) { field[name] = document.getElementById("find-" + name); });
var groups = Array.from(document.querySelectorAll("section[id^=samples-]"));
var cards = groups.flatMap(function (group) {
  return Array.from(group.querySelectorAll(".card")).map(function (card) {
    return {
      card: card,
      ability: group.id,
      text: text(card).toLowerCase(),
      answers: words(card.getAttribute("data-m")),
      subgroups: words(card.getAttribute("data-b"))
    };
  });
});

// Text of a card without its folded command, which names folders.
function text(card) {
  var parts = Array.from(card.children).filter(function (part) { return part.tagName !== "DETAILS"; });
  return parts.map(function (part) { return part.textContent; }).join(" ");
}
function words(text) {
  return (text || "").split(/\s+/).filter(Boolean);
}
// Place of the chosen option in its list, as a text; empty for all.
function place(name) {
  var at = field[name].selectedIndex;
  return at > 0 ? String(at - 1) : "";
}
function apply() {
  var wanted = words(field.q.value.toLowerCase());
  var model = place("model");
  var subgroup = place("subgroup");
  var ability = field.ability.value;
  var outcomes = field.answers.value;
  // An answer is written as MODEL:OUTCOME.
  function is_meant(answer) {
    var parts = answer.split(":");
    return [!model || parts[0] === model, !outcomes || outcomes.includes(parts[1])].every(Boolean);
  }
  var shown = 0;
  cards.forEach(function (one) {
    var passes = [
      wanted.every(function (word) { return one.text.includes(word); }),
      !ability || one.ability === ability,
      !subgroup || one.subgroups.includes(subgroup),
      !(model || outcomes) || one.answers.some(is_meant)
    ].every(Boolean);
    one.card.hidden = !passes;
    shown += passes ? 1 : 0;
  });
  groups.forEach(function (group) { group.hidden = !group.querySelector(".card:not([hidden])"); });
  found.textContent = shown + " of " + cards.length + " samples on this page" +
    (shown ? "" : ". The tooltip of a number is the command that lists all its samples.");
}
function label(name) {
  var input = field[name];
  if (!input.options) { return input.value; }
  return input.selectedIndex > 0 ? input.options[input.selectedIndex].text : "";
}
function set(name, text) {
  var input = field[name];
  if (!input.options) { input.value = text; return; }
  // Two choices may have the same text; then the chosen one stays.
  if (label(name) === text) { return; }
  var at = Array.from(input.options).slice(1).findIndex(function (one) { return one.text === text; });
  input.selectedIndex = text ? at + 1 : 0;
}
function clear() {
  NAMES.forEach(function (name) { set(name, ""); });
  apply();
}
function address() {
  var parts = new URLSearchParams();
  NAMES.forEach(function (name) { if (label(name)) { parts.set(name, label(name)); } });
  return "#" + (parts.toString() || "find");
}
// Reads the filter from the address. Any other address names a part of the page, which must be visible.
function read() {
  var name = location.hash.slice(1);
  var parts = new URLSearchParams(name);
  if (NAMES.some(function (name) { return parts.has(name); })) {
    NAMES.forEach(function (name) { set(name, parts.get(name) || ""); });
    apply();
    form.scrollIntoView();
    found.focus({preventScroll: true});
    return;
  }
  var target = document.getElementById(name);
  if (!name) { clear(); }
  if (target ? target.closest("[hidden]") : false) {
    clear();
    target.scrollIntoView();
  }
}
form.addEventListener("input", function () {
  apply();
  history.replaceState(null, "", address());
});
document.getElementById("find-clear").addEventListener("click", function () {
  clear();
  history.replaceState(null, "", "#find");
});
// The link of a number leads to its ability; data-f has the places of model and subgroup, and the outcomes.
document.addEventListener("click", function (event) {
  var link = event.target.closest("a[data-f]");
  if ([!link, event.ctrlKey, event.metaKey, event.shiftKey].some(Boolean)) { return; }
  event.preventDefault();
  var parts = link.getAttribute("data-f").split(".");
  field.q.value = "";
  field.ability.value = link.hash.slice(1);
  field.model.selectedIndex = parts[0] ? Number(parts[0]) + 1 : 0;
  field.subgroup.selectedIndex = parts[1] ? Number(parts[1]) + 1 : 0;
  field.answers.value = parts[2] || "";
  if (location.hash === address()) { read(); } else { location.hash = address(); }
});
window.addEventListener("hashchange", read);
form.hidden = false;
clear();
read();
})();
