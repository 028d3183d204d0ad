//! Runs a kernel that was emitted as source text: binds the data in the case's options, using only
//! the kernel's description.

use super::guard;
use super::host::Launched;
use super::vulkan;
use caustic_ir::texels::Sampler;
use caustic_runtime::output::{Format, ReadRequest, default_scalar, write_outputs};
use caustic_runtime::texture::{TEXTURE_BYTES, sampler_description};
use caustic_runtime::{Bindings, Contents, Description, KernelInterface, Slot, TextureContents, parse_sampler};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;

/// The mark of an argument that is a texture: its texels follow its description, which begins with
/// their address.
const TEXTURE: u32 = 2;

/// The seconds that a kernel may take.
const LIMIT: &str = "60";

/// The function that launches a kernel, from its description.
pub fn launcher(json: &str) -> Result<String, String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let name = value.get("launcher").and_then(|v| v.as_str());
    name.map(str::to_string).ok_or_else(|| "a description without a launcher".to_string())
}

/// Whether each resource has the name in a text that it has in the program.
pub fn keeps_names(json: &str) -> Result<bool, String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let names = value.get("names").and_then(|v| v.as_object()).ok_or("a description without names")?;
    let interface = Description::parse(json)?.interface;
    Ok(interface.params.iter().all(|p| names.get(&*p.name).and_then(|s| s.as_str()) == Some(p.symbol.as_str())))
}

/// How a kernel in CUDA is launched.
pub fn launched(json: &str) -> Result<Launched, String> {
    let launcher = launcher(json)?;
    let Description { interface, counters } = Description::parse(json)?;
    let letter = |i: usize| match (interface.params[i].is_buffer(), counters.get(i)) {
        (false, _) => 'v',
        (true, Some(true)) => 'c',
        (true, _) => 'b',
    };
    let params = (0..interface.params.len()).map(letter).collect();
    Ok(Launched { name: interface.entry.to_string(), launcher, threads: interface.numthreads, params })
}

/// Compares where the description says that each argument of a kernel is with what PTX takes.
pub fn same_arguments(json: &str, taken: &[(u64, u64)]) -> Result<(), String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let told = value.get("arguments").and_then(|v| v.as_array()).ok_or("a description without arguments")?;
    let (mut end, mut taken) = (0u64, taken.iter());
    for (letter, told) in launched(json)?.params.chars().zip(told) {
        let [offset, size] = [0, 1].map(|i| told.get(i).and_then(|n| n.as_u64()).unwrap_or(u64::MAX));
        let count = "vbc".find(letter).unwrap_or(0) + usize::from(letter != 'v');
        let mut first = None;
        for &(align, size) in taken.by_ref().take(count.max(1)) {
            let at = end.next_multiple_of(align.max(1));
            first = first.or(Some(at));
            end = at + size;
        }
        if first != Some(offset) || end != offset + size {
            return Err(format!("an argument is at {first:?} up to {end}, and the description says {told}"));
        }
    }
    if taken.next().is_some() { Err("the kernel takes more than the description says".into()) } else { Ok(()) }
}

/// The flags that a text has to be compiled with.
pub fn requires(json: &str) -> Result<Vec<String>, String> {
    let value: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let flags = value.get("requires").and_then(|v| v.as_array()).ok_or("a description without flags")?;
    Ok(flags.iter().filter_map(|f| f.as_str()).map(str::to_string).collect())
}

/// How many lanes a subgroup has to have, if a shader's lanes exchange values.
pub fn lanes(json: &str) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_str(json).ok()?;
    value.get("subgroup")?.get("least")?.as_u64().and_then(|n| u32::try_from(n).ok())
}

/// The groups and data that a case asks for.
#[derive(Default)]
struct Asked {
    groups: [u32; 3],
    buffers: Vec<(String, Contents)>,
    uniforms: Vec<(String, Contents)>,
    counters: Vec<(String, u32)>,
    textures: Vec<(String, TextureContents)>,
    samplers: Vec<(String, Sampler)>,
    reads: Vec<ReadRequest>,
    format: Format,
}

fn parse(words: &[String]) -> Result<Asked, String> {
    let mut asked = Asked { groups: [1; 3], ..Asked::default() };
    let mut words = words.iter();
    let named = |value: &str| -> Result<(String, String), String> {
        let (name, rest) = value.split_once('=').ok_or_else(|| format!("`{value}` has no name"))?;
        Ok((name.to_string(), rest.to_string()))
    };
    while let Some(word) = words.next() {
        let (option, inline) = match word.split_once('=') {
            Some((option, value)) if word.starts_with("--") => (option, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let takes = [
            "--buffer",
            "--uniform",
            "--counter",
            "--read",
            "--format",
            "--groups",
            "--dispatch",
            "--texture",
            "--sampler",
        ];
        if !takes.contains(&option) {
            continue;
        }
        let value = inline.or_else(|| words.next().cloned()).ok_or_else(|| format!("{option} without a value"))?;
        match option {
            "--buffer" => asked.buffers.push(named(&value).and_then(|(n, v)| Ok((n, Contents::parse(&v)?)))?),
            "--uniform" => asked.uniforms.push(named(&value).and_then(|(n, v)| Ok((n, Contents::parse(&v)?)))?),
            "--counter" => {
                let (name, count) = named(&value)?;
                asked.counters.push((name, count.parse().map_err(|_| format!("`{count}` is no count"))?));
            }
            "--read" => asked.reads.push(ReadRequest::parse(&value)?),
            "--format" => asked.format = if value == "json" { Format::Json } else { Format::Text },
            "--groups" | "--dispatch" => {
                for (to, from) in asked.groups.iter_mut().zip(value.split(',')) {
                    *to = from.trim().parse().map_err(|_| format!("`{value}` is no extent"))?;
                }
            }
            "--texture" => asked.textures.push(named(&value).and_then(|(n, v)| Ok((n, TextureContents::parse(&v)?)))?),
            _ => asked.samplers.push(named(&value).and_then(|(n, v)| Ok((n, parse_sampler(&v)?)))?),
        }
    }
    Ok(asked)
}

/// What is bound to a parameter: bytes, elements, the counter, and how the host program takes it.
type Argument = (Vec<u8>, u64, u32, u32);

/// What a run gives: what was printed, and each parameter's bytes.
type Given = (String, Vec<Vec<u8>>);

/// Runs kernel `number` of `program` with the data that `words` bind. Returns the output that the
/// command would print.
pub fn run(
    root: &Path,
    json: &str,
    words: &[String],
    program: &Path,
    number: usize,
    folder: &Path,
) -> Result<String, String> {
    with_bound(root, json, words, &mut |groups, before| {
        let mut file: Vec<u8> = groups.iter().chain([&(before.len() as u32)]).flat_map(|n| n.to_le_bytes()).collect();
        for (bytes, count, counter, mark) in before {
            file.extend((bytes.len() as u64).to_le_bytes());
            file.extend(count.to_le_bytes());
            file.extend([*counter, *mark].iter().flat_map(|n| n.to_le_bytes()));
            file.extend(bytes);
        }
        let path = folder.join(format!("bound{number}"));
        std::fs::write(&path, file).map_err(|e| e.to_string())?;
        let done = Command::new("timeout").arg(LIMIT).arg(program).arg(number.to_string()).arg(&path).output();
        let done = done.map_err(|e| e.to_string())?;
        if !done.status.success() {
            return Err(format!("it ends with {}: {}", done.status, String::from_utf8_lossy(&done.stderr)));
        }
        let after = std::fs::read(&path).map_err(|e| e.to_string())?;
        let mut rest = &after[..];
        let mut data = Vec::new();
        for (bytes, ..) in before {
            let taken = rest.get(4..4 + bytes.len()).ok_or("too little came back")?;
            data.push(taken.to_vec());
            rest = &rest[4 + bytes.len()..];
        }
        Ok((String::from_utf8_lossy(&done.stdout).into_owned(), data))
    })
}

/// The same for a shader, which is compiled.
pub fn run_shader(root: &Path, json: &str, words: &[String], code: &[u8]) -> Result<String, String> {
    with_bound(root, json, words, &mut |groups, before| {
        let of = |(bytes, _, counter, _): &Argument| vulkan::Bound { bytes: bytes.clone(), counter: *counter };
        let mut params: Vec<vulkan::Bound> = before.iter().map(of).collect();
        let row = guard::row_of_threads(code).ok_or("no size of groups")?;
        let guarded = match row % guard::LANES {
            0 => code.to_vec(),
            _ if super::on_gpu() => code.to_vec(),
            _ => guard::guarded(code, row).ok_or("no entry point to guard")?,
        };
        vulkan::run(&guarded, json, groups, &mut params)?;
        Ok((String::new(), params.into_iter().map(|p| p.bytes).collect()))
    })
}

fn interface_of(json: &str) -> Result<KernelInterface, String> {
    Ok(Description::parse(json)?.interface)
}

/// Binds the data of `words`, has the kernel run over it, and returns what the command would print.
fn with_bound(
    root: &Path,
    json: &str,
    words: &[String],
    execute: &mut dyn FnMut([u32; 3], &[Argument]) -> Result<Given, String>,
) -> Result<String, String> {
    let asked = parse(words)?;
    let interface = interface_of(json)?;
    let mut bindings = Bindings::new(&interface);
    let mut load = |path: &str| std::fs::read(root.join(path)).map_err(|e| format!("{path}: {e}"));
    let mut buffers = asked.buffers;
    buffers.sort_by_key(|(name, _)| name.matches('.').count());
    for (name, contents) in buffers {
        let loaded = Contents::load(contents, &mut load)?;
        let shape = loaded.shape.as_deref();
        bindings.bind_shaped(&interface, &name, &loaded.bytes, shape).map_err(|e| e.message)?;
    }
    for (name, contents) in asked.uniforms {
        let loaded = Contents::load(contents, &mut load)?;
        bindings.bind_uniform(&interface, &name, &loaded.bytes).map_err(|e| e.message)?;
    }
    for (name, count) in asked.counters {
        bindings.set_counter(&interface, &name, count).map_err(|e| e.message)?;
    }
    for (name, contents) in &asked.textures {
        bindings.bind_texture(&interface, name, contents).map_err(|e| e.message)?;
    }
    for (name, sampler) in asked.samplers {
        bindings.bind_sampler(&interface, &name, sampler).map_err(|e| e.message)?;
    }
    let slots = |bindings: &Bindings| -> Vec<Argument> {
        let of = |index: usize| match bindings.slot(index) {
            Some(Slot::Buffer(b)) => {
                let count = if interface.params[index].is_pointer() { b.byte_len() } else { b.len() };
                (b.to_bytes(), count as u64, b.counter().load(Ordering::Relaxed), 1)
            }
            Some(Slot::Uniform(bytes)) => (bytes.clone(), 1, 0, 1),
            Some(Slot::Texture(t)) => ([&t.description(0)[..], &t.to_texels()].concat(), 1, 0, TEXTURE),
            Some(Slot::Sampler(s)) => (sampler_description(*s).to_vec(), 1, 0, 1),
            None => (Vec::new(), 0, 0, 1),
        };
        (0..interface.params.len()).map(of).collect()
    };
    let before = slots(&bindings);
    let (mut text, after) = execute(asked.groups, &before)?;
    for (index, data) in after.into_iter().enumerate() {
        if let Some(Slot::Texture(texture)) = bindings.slot(index) {
            texture.set_texels(&data[TEXTURE_BYTES as usize..]);
        } else {
            bindings.set_contents(&interface, index, data);
        }
    }
    let mut outputs = Vec::new();
    for request in &asked.reads {
        let (buffer, param) = bindings.read_buffer(&interface, &request.name).map_err(|e| e.message)?;
        outputs.push((request.name.clone(), request.scalar.unwrap_or(default_scalar(param)), buffer.to_bytes()));
    }
    // The program's own output is kept; the results begin on a new line.
    if !outputs.is_empty() && !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if !outputs.is_empty() || asked.format == Format::Json {
        text += &write_outputs(asked.format, &outputs);
    }
    Ok(text)
}
