//! Tests the decisions of a gate on small tables, and simulates how often they are wrong.
