//! What the asking threads do before anything is asked.

use super::{Again, Begun, Form, Looked};
use analysis::Selection;
use config::Settings;
use record::Table;
use rerun::{Builtin, Launch, Shelf, Wanted, protocol_of};
use workspace::asked::{asked, asked_before, count, free_label, journals, known, places};

/// Samples whose questions are shown beforehand.
const SHOWN: usize = 5;

/// What there is to be asked, and what was.
pub(super) fn looked(form: &Form) -> Looked {
    let table = &form.table;
    let runs = Shelf::new(journals(&form.request, &[])).runs;
    let firsts = runs.iter().map(|run| run.head.samples.first());
    let known = known(table, &firsts.flatten().map(String::as_str).collect());
    let earlier = runs.into_iter().filter(|run| {
        let first = run.head.samples.first();
        first.is_some_and(|name| known.contains(name))
    });
    let earlier = earlier.collect();
    let Ok(mask) = mask(form) else {
        return Looked {
            earlier,
            ..Looked::default()
        };
    };
    let selection = form.lens.selection(table, &mask);
    let (shown, _) = asked(selection, &form.protocol, None, SHOWN.min(form.limit));
    Looked {
        samples: count(selection, &form.protocol),
        shown: shown
            .into_iter()
            .map(|sample| sample.record.content)
            .collect(),
        earlier,
    }
}

/// What a form would ask.
pub(super) fn counted(form: Form, settings: &Settings) -> Result<Launch, String> {
    let table = &form.table;
    let mask = mask(&form)?;
    let selection = form.lens.selection(table, &mask);
    // A model of the same name is the one to compare with: did it get worse?
    let here = Builtin::named(&form.endpoint);
    let same = match &here {
        Some(encoder) => encoder.name(),
        None => form.model.as_str(),
    };
    let same = Some(same).filter(|name| table.names().models.find(*name).is_some());
    let named = form.against.as_deref().or(same);
    let against = named.or(form.lens.model.as_deref()).map(str::to_owned);
    let (samples, _) = asked(selection, &form.protocol, against.as_deref(), form.limit);
    let shelf = Shelf::new(journals(&form.request, &[]));
    let wanted = Wanted {
        endpoint: form.endpoint,
        model: form.model,
        protocol: form.protocol,
        temperature: form.temperature,
        samples,
        against,
        places: places(&form.request),
    };
    Launch::new(wanted, &shelf, settings, |model| free_label(table, model))
}

/// What is left of an earlier run.
pub(super) fn again(again: &Again, settings: &Settings) -> Result<(Launch, Begun), String> {
    let earlier = &again.earlier;
    let head = &earlier.head;
    let (samples, lost) = asked_before(
        Selection::all(&again.table, again.scoring),
        &protocol_of(head)?,
        head.against.as_deref(),
        &head.samples,
    );
    let begun = Begun {
        run: head.run.clone(),
        answered: earlier.answered,
        failed: earlier.failed,
        unasked: earlier.unasked,
        lost,
    };
    Ok((Launch::again(earlier, samples, settings)?, begun))
}

/// The predictions whose samples are meant.
fn mask(form: &Form) -> Result<Vec<bool>, String> {
    let table: &Table = &form.table;
    let Some(rows) = &form.rows else {
        return form.lens.mask(table).map_err(|error| error.to_string());
    };
    let mut mask = vec![false; table.len()];
    for &row in rows {
        if let Some(is_in) = mask.get_mut(row as usize) {
            *is_in = true;
        }
    }
    Ok(mask)
}
