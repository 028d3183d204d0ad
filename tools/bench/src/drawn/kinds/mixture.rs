//! The logarithm of a sum of exponentials over components that all threads share, in two passes or
//! with a running maximum.

use super::elementwise::{inputs, of_inputs, values};
use super::list::fields;
use crate::drawn::plan::Plan;
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::{Value, Writer};

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["logits", "most", "sum", "next", "i", "j", "k"]);
    let count = w.random.pick(&[4, 5, 8, 10, 16, 25, 32]);
    let place = w.random.pick(&[2, 3, 4]);
    let fields = fields(w, field("mean", place, -1.0, 1.0), 1, 3);
    let store = Store::write(
        w,
        Wanted {
            item: &["Component", "Cluster", "Mode"],
            items: &["components", "clusters", "modes"],
            fields,
            count,
            indices: Vec::new(),
        },
    );
    let own = inputs(w, 1, 3);
    let function = w.name(&["logLikelihood", "logSumExp", "mixtureNll", "score"]);
    let mut params = of_inputs(&own);
    params.extend(store.params.iter().cloned());
    let reduced = w.random.chance(50);
    let plan = Plan { function, params, width: 1, work: count * 100, reduced };
    let all = values(&own);
    let way = w.random.below(3);
    w.function(&plan.signature(), |w| {
        let total = store.count(w);
        let attribute = store.attribute(w);
        let logit = |w: &mut Writer, i: &str| {
            let mut some = store.item(w, i);
            some.extend(all.iter().cloned());
            let made = w.mix(some, 1);
            w.named(made)
        };
        if way == 0 {
            w.line(format!("float logits[{count}];"));
            w.line(&attribute);
            w.open(format!("for (int i = 0; i < {total}; i++)"));
            let made = logit(w, "i");
            w.line(format!("logits[i] = {};", made.text));
            w.close();
            w.line(format!("float most = {};", w.number(-100.0)));
            w.line(&attribute);
            w.line(format!("for (int j = 0; j < {total}; j++)"));
            w.line("    most = max(most, logits[j]);");
            w.line(format!("float sum = {};", w.number(0.0)));
            w.line(&attribute);
            w.line(format!("for (int k = 0; k < {total}; k++)"));
            w.line("    sum += exp(logits[k] - most);");
        } else {
            w.line(format!("float most = {};", w.number(-20.0)));
            w.line(format!("float sum = {};", w.number(0.0)));
            w.line(&attribute);
            w.open(format!("for (int i = 0; i < {total}; i++)"));
            let made = logit(w, "i");
            if way == 1 {
                // The sum is of exponentials below the greatest so far.
                w.line(format!("float next = max(most, {});", made.text));
                w.line(format!("sum = sum * exp(most - next) + exp({} - next);", made.text));
                w.line("most = next;");
            } else {
                w.line(format!("sum += exp({});", made.text));
            }
            w.close();
            if way == 2 {
                w.line(format!("most = {};", w.number(0.0)));
            }
        }
        let value = Value { text: "most + log(sum)".into(), atom: false, ..Value::variable("", 1, -20.0, 20.0) };
        if w.random.chance(40) {
            let value = w.named(value);
            let made = w.unary(value);
            w.line(format!("return {};", made.text));
        } else {
            w.line(format!("return {};", value.text));
        }
    });
    plan
}
