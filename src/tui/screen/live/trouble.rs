//! Error messages for reruns, with hints for this view.

use ask::client::Class;
use ask::{ConnectError, ModelListError, RerunError, SessionError};
use base::config::KeyError;

/// Returns the error message, in one sentence.
pub fn trouble(error: &SessionError) -> String {
    let error = match error {
        SessionError::Rerun(error) => error,
        SessionError::Column { name, why } if name.is_empty() => return trouble(why),
        SessionError::Column { name, why } => return format!("{name}: {}", trouble(why)),
        error => return error.to_string(),
    };
    match error {
        RerunError::Connect(ConnectError::Key(KeyError::Unset(_))) => {
            format!("{error}: set it in the shell and start Eyechart again")
        }
        RerunError::Look(ModelListError::Failed(failure)) => {
            let hint = match failure.class {
                Class::Endpoint => ": start the server, or give another address",
                Class::Trust => ": this machine does not trust its certificate for that address",
                Class::Config => ": check the key that the config file sets for it",
                _ => "",
            };
            format!("{failure}{hint}")
        }
        RerunError::NoModel { known } if known.is_empty() => {
            "the server lists no models: type a model name".to_owned()
        }
        RerunError::NoModel { known } => {
            format!("choose a model; the server has {}", known.join(", "))
        }
        RerunError::OneModel(_) => format!("{error}: leave the model empty"),
        RerunError::Nothing { protocol, why } => {
            let why = why.as_deref().unwrap_or("none is selected");
            format!("no sample can be asked under {protocol}: {why}")
        }
        _ => error.to_string(),
    }
}
