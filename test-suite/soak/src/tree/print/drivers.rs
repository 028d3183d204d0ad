//! Prints the kernels of a program, and the functions that convert between buffers and values.

use super::{Layout, Printer, Ty};
use crate::tree::Leaf;
use std::fmt::Write;

/// The number of threads in a group of a program with several.
const GROUP: u32 = 2;

/// The code for all leaves of the input, as text.
#[derive(Default)]
struct Inputs {
    /// Reads the input `x`.
    load: String,
    /// Reads a direction `d`.
    direction: String,
    /// Writes a derivative `d`.
    store: String,
    flat: Flat,
}

/// The code for a function of scalars.
#[derive(Default)]
struct Flat {
    params: Vec<String>,
    /// Makes the input from the scalars.
    make: String,
    /// Makes the pairs for reverse mode.
    pairs: String,
    /// Writes the derivatives that the pairs receive.
    store: String,
    /// The arguments in forward and in reverse mode.
    forward: Vec<String>,
    reverse: Vec<String>,
}

/// The parts that the kernels of one program share.
struct Kernels {
    /// The attributes of each kernel.
    head: String,
    /// The beginning of each kernel.
    open: String,
    layout: Layout,
    /// The types of the input, of its differential, and of the output.
    input: String,
    di: String,
    output: String,
    second: bool,
}

impl Printer<'_> {
    pub(super) fn drivers(&mut self) {
        let layout = Layout::of(self.p);
        let (input, output) = (self.p.structs[self.p.input].name.clone(), self.p.structs[self.p.output].name.clone());
        let outputs: Vec<Leaf> =
            self.p.leaves(&Ty::Struct(self.p.output), "", true).into_iter().filter(|l| l.active).collect();
        let inputs = self.inputs(&layout);
        let di = format!("{input}.Differential");
        self.transfers(&inputs, &outputs, [&input, &di, &output]);
        if self.style.flat {
            let params = [inputs.flat.params.join(", "), "int n".into(), "int m".into()].join(", ");
            let make = &inputs.flat.make;
            self.line(&format!(
                "[Differentiable] {output} flat({params}) {{ {input} x; {make}return root(x, n, m); }}"
            ));
        }
        if self.style.in_place {
            self.line(&format!(
                "[Differentiable] void placed({input} x, int n, int m, inout {output} y) {{ y = root(x, n, m); }}"
            ));
        }
        let second = self.p.second && !self.style.flat;
        if second {
            self.second_order(&outputs, [&input, &di, &output]);
        }
        let open = self.opening(&layout, &input);
        let threads = if self.style.grouped { GROUP } else { 1 };
        let head = format!("[shader(\"compute\")] [numthreads({threads}, 1, 1)]");
        let kernels = Kernels { head, open, layout, input, di, output, second };
        if self.style.view.is_some() {
            return self.kernels_through_a_view(&kernels);
        }
        self.primal_kernel(&kernels);
        self.gradient_kernel(&kernels, inputs.flat);
    }

    fn inputs(&self, layout: &Layout) -> Inputs {
        let mut out = Inputs::default();
        let Inputs { load, direction, store, flat } = &mut out;
        let (mut real, mut int) = (0, 0);
        for leaf in &layout.inputs {
            let path = &leaf.path;
            let ty = self.ty(&leaf.ty);
            if !leaf.ty.is_float() {
                let value = format!("ints[t * {} + {int}]", layout.ints);
                let _ = write!(load, "x{path} = {ty}({value}); ");
                let _ = write!(flat.make, "x{path} = {ty}(a{int}); ");
                flat.params.push(format!("int a{int}"));
                flat.forward.push(value.clone());
                flat.reverse.push(value);
                int += 1;
                continue;
            }
            let value = format!("data[at + {real}]");
            let _ = write!(load, "x{path} = {ty}({value}); ");
            let _ = write!(flat.make, "x{path} = {ty}(r{real}); ");
            let mark = if leaf.active { "" } else { "no_diff " };
            flat.params.push(format!("{mark}real r{real}"));
            if leaf.active {
                flat.forward.push(format!("diffPair({value}, data[at + {}])", real + layout.reals));
                flat.reverse.push(format!("q{real}"));
                let _ = write!(flat.pairs, "DifferentialPair<real> q{real} = diffPair({value}); ");
                let _ = write!(flat.store, "result[to + {}] = q{real}.d; ", real + 3 * layout.outputs);
                let _ = write!(direction, "d{path} = {ty}({value}); ");
                let _ = write!(store, "result[at + {real}] = real(d{path}); ");
            } else {
                flat.forward.push(value.clone());
                flat.reverse.push(value);
            }
            real += 1;
        }
        flat.forward.push("n, m".into());
        flat.reverse.push("n, m".into());
        out
    }

    /// Prints the functions that read and write inputs, outputs and their derivatives.
    fn transfers(&mut self, inputs: &Inputs, outputs: &[Leaf], [input, di, output]: [&str; 3]) {
        let Inputs { load, direction, store, .. } = inputs;
        let dout = format!("{output}.Differential");
        let make_weights: String = outputs
            .iter()
            .enumerate()
            .map(|(i, l)| format!("w{} = {}(data[at + {i}]); ", l.path, self.ty(&l.ty)))
            .collect();
        let put: String =
            outputs.iter().enumerate().map(|(i, l)| format!("result[at + {i}] = real(y{}); ", l.path)).collect();
        self.line(&format!("{input} load(int t, int at) {{ {input} x; {load}return x; }}"));
        self.line(&format!("{di} loadDirection(int at) {{ {di} d; {direction}return d; }}"));
        self.line(&format!("{dout} loadWeights(int at) {{ {dout} w; {make_weights}return w; }}"));
        self.line(&format!("void storeInput(int at, {di} d) {{ {store}}}"));
        self.line(&format!("void storeOutput(int at, {output} y) {{ {put}}}"));
        self.line(&format!("void storeChange(int at, {dout} y) {{ {put}}}"));
    }

    /// Prints a weighted sum of the outputs, its gradient, and its derivative along a direction.
    fn second_order(&mut self, outputs: &[Leaf], [input, di, output]: [&str; 3]) {
        let weighted = |(i, l): (usize, &Leaf)| format!("data[at + {i}] * real(y{})", l.path);
        let weights: Vec<String> = outputs.iter().enumerate().map(weighted).collect();
        self.line(&format!(
            "[Differentiable] real weighted({input} x, int n, int m, int at) {{ {output} y = root(x, n, m); return {}; }}",
            weights.join(" + ")
        ));
        self.line(&format!(
            "[Differentiable] {di} gradient({input} x, int n, int m, int at) {{ DifferentialPair<{input}> p = diffPair(x); \
             bwd_diff(weighted)(p, n, m, at, real(1)); return p.d; }}"
        ));
        self.line(&format!(
            "[Differentiable] real along({input} x, no_diff {di} d, int n, int m, int at) \
             {{ return fwd_diff(weighted)(diffPair(x, d), n, m, at).d; }}"
        ));
    }

    /// The beginning of each kernel: it finds the part of the buffers for its thread.
    fn opening(&self, layout: &Layout, input: &str) -> String {
        let (ds, rs, is) = (layout.data_stride(), layout.result_stride(), layout.ints);
        let idle = if self.style.grouped {
            format!("uint size, each; result.GetDimensions(size, each); if (id.x * {rs}u >= size) return; ")
        } else {
            String::new()
        };
        format!(
            "{idle}int t = int(id.x); int at = t * {ds}; int to = t * {rs}; int n = ints[t * {is} + {}]; int m = ints[t * {is} + {}]; \
             {input} x = load(t, at);",
            is - 2,
            is - 1
        )
    }

    /// Prints one kernel for the value and one for each mode.
    fn kernels_through_a_view(&mut self, k: &Kernels) {
        let (ni, Kernels { head, open, input, .. }) = (k.layout.reals, k);
        let forward = format!("storeChange(to, fwd_diff(root)(diffPair(x, loadDirection(at + {ni})), n, m).d);");
        let reverse = format!(
            "DifferentialPair<{input}> px = diffPair(x); bwd_diff(root)(px, n, m, loadWeights(at + {})); \
             storeInput(to, px.d);",
            3 * ni
        );
        let primal = "storeOutput(to, root(x, n, m));".to_string();
        for (name, text) in [("primalMain", primal), ("forwardMain", forward), ("reverseMain", reverse)] {
            self.line(&format!("{head} void {name}(uint3 id : SV_DispatchThreadID) {{ {open} {text} }}"));
        }
    }

    fn primal_kernel(&mut self, k: &Kernels) {
        self.line(&format!("{} void primalMain(uint3 id : SV_DispatchThreadID)", k.head));
        self.open();
        self.line(&k.open);
        self.line("storeOutput(to, root(x, n, m));");
        self.close();
    }

    fn gradient_kernel(&mut self, k: &Kernels, flat: Flat) {
        self.line(&format!("{} void gradMain(uint3 id : SV_DispatchThreadID)", k.head));
        self.open();
        self.line(&k.open);
        self.line("storeOutput(to, root(x, n, m));");
        self.forward_mode(k, &flat);
        self.reverse_mode(k, &flat);
        if k.second {
            self.second_derivatives(k);
        }
        self.close();
    }

    fn forward_mode(&mut self, k: &Kernels, flat: &Flat) {
        let (ni, no, output) = (k.layout.reals, k.layout.outputs, &k.output);
        self.line(&format!("{} v = loadDirection(at + {ni});", k.di));
        let (function, args) = match self.style.flat {
            true => ("flat", flat.forward.join(", ")),
            false => ("root", "diffPair(x, v), n, m".into()),
        };
        if self.style.in_place {
            // The parameter's initial value is not used, so neither it nor its tangent may have an
            // effect.
            self.line(&format!(
                "DifferentialPair<{output}> py = diffPair(root(x, n, m), loadWeights(at + {}));",
                3 * ni
            ));
            self.line(&format!("fwd_diff(placed)({args}, py);"));
        } else {
            self.line(&format!("DifferentialPair<{output}> py = fwd_diff({function})({args});"));
        }
        self.line(&format!("storeOutput(to + {no}, py.p);"));
        self.line(&format!("storeChange(to + {}, py.d);", 2 * no));
    }

    fn reverse_mode(&mut self, k: &Kernels, flat: &Flat) {
        let (ni, no, Kernels { input, output, .. }) = (k.layout.reals, k.layout.outputs, k);
        let weights = format!("loadWeights(at + {})", 3 * ni);
        if self.style.flat {
            self.line(&flat.pairs);
            self.line(&format!("bwd_diff(flat)({}, {weights});", flat.reverse.join(", ")));
            self.line(&flat.store);
            return;
        }
        self.line(&format!("DifferentialPair<{input}> px = diffPair(x);"));
        if self.style.in_place {
            self.line(&format!("DifferentialPair<{output}> qy = diffPair(root(x, n, m), {weights});"));
            self.line("bwd_diff(placed)(px, n, m, qy);");
        } else {
            self.line(&format!("bwd_diff(root)(px, n, m, {weights});"));
        }
        self.line(&format!("storeInput(to + {}, px.d);", 3 * no));
    }

    fn second_derivatives(&mut self, k: &Kernels) {
        let (ni, no, Kernels { input, di, .. }) = (k.layout.reals, k.layout.outputs, k);
        let w = 3 * ni;
        self.line(&format!("{di} u = loadDirection(at + {});", 2 * ni));
        self.line(&format!("storeInput(to + {}, fwd_diff(gradient)(diffPair(x, u), n, m, at + {w}).d);", 3 * no + ni));
        self.line(&format!("DifferentialPair<{input}> pv = diffPair(x);"));
        self.line(&format!("bwd_diff(along)(pv, v, n, m, at + {w}, real(1));"));
        self.line(&format!("storeInput(to + {}, pv.d);", 3 * no + 2 * ni));
        self.line(&format!("result[to + {}] = fwd_diff(along)(diffPair(x, u), v, n, m, at + {w}).d;", 3 * no + 3 * ni));
    }
}
