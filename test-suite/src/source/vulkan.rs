//! Runs shaders on Mesa's software Vulkan (lavapipe), or on a GPU, with nothing but their
//! descriptions.
//!
//! `unsafe`: calls of Vulkan through `ash`. Handles are made and destroyed here; no shader runs
//! longer than a call of [`run`].

use ash::vk;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

/// What is said of a shader that takes longer.
pub const UNENDING: &str = "Vulkan: it does not end";
/// Nanoseconds that a shader may take.
const LIMIT: u64 = 60_000_000_000;

/// What is bound to a parameter: its bytes and its counter.
pub struct Bound {
    pub bytes: Vec<u8>,
    pub counter: u32,
}

/// Has a shader's text compiled and validated; its SPIR-V.
pub fn compile(folder: &Path, text: &str) -> Result<Vec<u8>, String> {
    let (from, to) = (folder.join("kernel.comp"), folder.join("kernel.spv"));
    std::fs::write(&from, text).map_err(|e| e.to_string())?;
    let mut glslang = Command::new("glslangValidator");
    glslang.args(["-V", "--target-env", "vulkan1.3", "-S", "comp", "-o"]).arg(&to).arg(&from);
    accepted(&mut [glslang, validator(&to)])?;
    exact_code(&to)
}

/// The same for a text in HLSL, whose entry point the description names. What glslang makes of it
/// is of Vulkan 1.1: for later ones it declares buffers as SPIR-V has them no more.
pub fn compile_hlsl(folder: &Path, text: &str, json: &str) -> Result<Vec<u8>, String> {
    let description: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let entry = description.get("launcher").and_then(Value::as_str).ok_or("a description without an entry point")?;
    let (from, to) = (folder.join("kernel.hlsl"), folder.join("kernel.spv"));
    std::fs::write(&from, text).map_err(|e| e.to_string())?;
    let mut glslang = Command::new("glslangValidator");
    glslang.args(["-D", "-V", "--target-env", "vulkan1.1", "-S", "comp", "-e", "main", "--source-entrypoint", entry]);
    glslang.arg("-o").arg(&to).arg(&from);
    let mut validate = Command::new("spirv-val");
    validate.args(["--target-env", "vulkan1.1", "--scalar-block-layout"]).arg(&to);
    accepted(&mut [glslang, validate])?;
    super::guard::keeping(&exact_code(&to)?).ok_or_else(|| "no entry point".to_string())
}

/// A module in which no sum or product of floats may be put together with another.
fn exact_code(path: &Path) -> Result<Vec<u8>, String> {
    let code = std::fs::read(path).map_err(|e| e.to_string())?;
    match inexact(&code) {
        0 => Ok(code),
        count => Err(format!("{count} operations on floats may be contracted")),
    }
}

/// The validator of a module.
pub fn validator(code: &Path) -> Command {
    let mut validate = Command::new("spirv-val");
    validate.args(["--target-env", "vulkan1.3", "--scalar-block-layout"]).arg(code);
    validate
}

/// Runs tools that have to take a shader.
pub fn accepted(commands: &mut [Command]) -> Result<(), String> {
    for command in commands {
        let name = command.get_program().to_string_lossy().into_owned();
        let done = command.output().map_err(|e| format!("{name}: {e}; `cargo xtask setup` installs it"))?;
        if !done.status.success() {
            let said = [done.stdout, done.stderr].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            return Err(format!("{name} does not take it\n{}", said.lines().take(20).collect::<Vec<_>>().join("\n")));
        }
    }
    Ok(())
}

/// How many sums, products and quotients of floats a compiler may put together.
pub fn inexact(code: &[u8]) -> usize {
    const DECORATE: u32 = 71;
    const NO_CONTRACTION: u32 = 42;
    const ARITHMETIC: [u32; 4] = [129, 131, 133, 136];
    let words: Vec<u32> = code.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let (mut at, mut exact, mut found) = (5, Vec::new(), 0);
    while let Some(&first) = words.get(at) {
        let (op, count) = (first & 0xffff, (first >> 16) as usize);
        match words.get(at + 1..at + count) {
            Some([target, NO_CONTRACTION]) if op == DECORATE => exact.push(*target),
            Some([_, result, ..]) if ARITHMETIC.contains(&op) && !exact.contains(result) => found += 1,
            _ => {}
        }
        at += count.max(1);
    }
    found
}

struct Machine {
    _entry: ash::Entry,
    device: ash::Device,
    queue: vk::Queue,
    family: u32,
    memory: vk::PhysicalDeviceMemoryProperties,
}

/// The machine; one shader runs at a time.
fn machine() -> Result<&'static Mutex<Machine>, String> {
    static MACHINE: OnceLock<Result<Mutex<Machine>, String>> = OnceLock::new();
    // SAFETY: the library is the system's loader, and handles are passed as it returned them.
    let made = MACHINE.get_or_init(|| unsafe { Machine::new() }.map(Mutex::new));
    made.as_ref().map_err(Clone::clone)
}

fn failed(what: &'static str) -> impl Fn(vk::Result) -> String {
    move |result| format!("Vulkan: {what}: {result}")
}

impl Machine {
    unsafe fn new() -> Result<Machine, String> {
        unsafe {
            let entry = ash::Entry::load().map_err(|e| format!("libvulkan: {e}; `cargo xtask setup` installs it"))?;
            let about = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let info = vk::InstanceCreateInfo::default().application_info(&about);
            let instance = entry.create_instance(&info, None).map_err(failed("no instance"))?;
            let all = instance.enumerate_physical_devices().map_err(failed("no machines"))?;
            // The software is the one whose results are the same everywhere.
            let is_asked = |d: &vk::PhysicalDevice| {
                let kind = instance.get_physical_device_properties(*d).device_type;
                (kind == vk::PhysicalDeviceType::CPU) != super::on_gpu()
            };
            let physical = all.into_iter().find(is_asked).ok_or(match super::on_gpu() {
                true => "no GPU that Vulkan knows",
                false => "no lavapipe; `cargo xtask setup` installs it (mesa-vulkan-drivers)",
            })?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let family = families.iter().position(|f| f.queue_flags.contains(vk::QueueFlags::COMPUTE));
            let family = family.ok_or("it does not compute")? as u32;
            let (mut v11, mut v12) =
                (vk::PhysicalDeviceVulkan11Features::default(), vk::PhysicalDeviceVulkan12Features::default());
            let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut features =
                vk::PhysicalDeviceFeatures2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
            instance.get_physical_device_features2(physical, &mut features);
            // Texts see to what is out of range themselves.
            features.features.robust_buffer_access = vk::FALSE;
            let priorities = [1.0];
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).push_next(&mut features);
            let device = instance.create_device(physical, &info, None).map_err(failed("no device"))?;
            let queue = device.get_device_queue(family, 0);
            let memory = instance.get_physical_device_memory_properties(physical);
            Ok(Machine { _entry: entry, device, queue, family, memory })
        }
    }

    /// A buffer of this machine with these contents, of which there is at least one byte.
    unsafe fn buffer(&self, bytes: &[u8]) -> Result<(vk::Buffer, vk::DeviceMemory), String> {
        unsafe {
            let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
            let info = vk::BufferCreateInfo::default().size(bytes.len().max(1) as u64).usage(usage);
            let buffer = self.device.create_buffer(&info, None).map_err(failed("no buffer"))?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let kinds = &self.memory.memory_types[..self.memory.memory_type_count as usize];
            let kind = kinds
                .iter()
                .enumerate()
                .position(|(k, kind)| needs.memory_type_bits & (1 << k) != 0 && kind.property_flags.contains(wanted));
            let kind = kind.ok_or("no memory that the host sees")? as u32;
            let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
            let memory = self.device.allocate_memory(&info, None).map_err(failed("no memory"))?;
            self.device.bind_buffer_memory(buffer, memory, 0).map_err(failed("no memory is bound"))?;
            let at = self.map(memory)?;
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len());
            self.device.unmap_memory(memory);
            Ok((buffer, memory))
        }
    }

    unsafe fn map(&self, memory: vk::DeviceMemory) -> Result<*mut u8, String> {
        let flags = vk::MemoryMapFlags::empty();
        let mapped = unsafe { self.device.map_memory(memory, 0, vk::WHOLE_SIZE, flags) };
        Ok(mapped.map_err(failed("memory is not mapped"))?.cast())
    }

    /// Runs a shader over these buffers, each with its binding and whether it is a block of
    /// uniforms, and brings their contents back.
    unsafe fn dispatch(&self, code: &[u8], groups: [u32; 3], bound: &mut [(u32, bool, Vec<u8>)]) -> Result<(), String> {
        unsafe {
            let d = &self.device;
            let words = ash::util::read_spv(&mut std::io::Cursor::new(code)).map_err(|e| e.to_string())?;
            let module = d.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None);
            let module = module.map_err(failed("no shader"))?;
            let kind = |uniform: bool| match uniform {
                true => vk::DescriptorType::UNIFORM_BUFFER,
                false => vk::DescriptorType::STORAGE_BUFFER,
            };
            let layouts: Vec<_> = bound
                .iter()
                .map(|(binding, uniform, _)| {
                    let layout = vk::DescriptorSetLayoutBinding::default().binding(*binding).descriptor_count(1);
                    layout.descriptor_type(kind(*uniform)).stage_flags(vk::ShaderStageFlags::COMPUTE)
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&layouts);
            let set_layouts = [d.create_descriptor_set_layout(&info, None).map_err(failed("no layout"))?];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layouts);
            let layout = d.create_pipeline_layout(&info, None).map_err(failed("no layout"))?;
            let stage = vk::PipelineShaderStageCreateInfo::default();
            let stage = stage.stage(vk::ShaderStageFlags::COMPUTE).module(module).name(c"main");
            let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
            let pipeline = pipeline.map_err(|(_, e)| failed("no pipeline")(e))?[0];
            let sizes = [true, false].map(|uniform| {
                let count = bound.iter().filter(|(_, u, _)| *u == uniform).count().max(1) as u32;
                vk::DescriptorPoolSize::default().ty(kind(uniform)).descriptor_count(count)
            });
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).map_err(failed("no descriptors"))?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
            let set = d.allocate_descriptor_sets(&info).map_err(failed("no descriptors"))?[0];
            let buffers = bound.iter().map(|(_, _, bytes)| self.buffer(bytes)).collect::<Result<Vec<_>, _>>()?;
            for ((binding, uniform, bytes), (buffer, _)) in bound.iter().zip(&buffers) {
                let range = bytes.len().max(1) as u64;
                let info = [vk::DescriptorBufferInfo::default().buffer(*buffer).range(range)];
                let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(*binding);
                d.update_descriptor_sets(&[write.descriptor_type(kind(*uniform)).buffer_info(&info)], &[]);
            }
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
            let commands = d.create_command_pool(&info, None).map_err(failed("no commands"))?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(commands).command_buffer_count(1);
            let command = d.allocate_command_buffers(&info).map_err(failed("no commands"))?[0];
            d.begin_command_buffer(command, &vk::CommandBufferBeginInfo::default()).map_err(failed("no commands"))?;
            d.cmd_bind_pipeline(command, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(command, vk::PipelineBindPoint::COMPUTE, layout, 0, &[set], &[]);
            d.cmd_dispatch(command, groups[0], groups[1], groups[2]);
            d.end_command_buffer(command).map_err(failed("no commands"))?;
            let fence = d.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed("no fence"))?;
            let list = [command];
            let submit = [vk::SubmitInfo::default().command_buffers(&list)];
            d.queue_submit(self.queue, &submit, fence).map_err(failed("it is not run"))?;
            d.wait_for_fences(&[fence], true, LIMIT).map_err(failed("it does not end"))?;
            for ((_, _, bytes), (_, memory)) in bound.iter_mut().zip(&buffers) {
                let at = self.map(*memory)?;
                std::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), bytes.len());
                d.unmap_memory(*memory);
            }
            d.destroy_fence(fence, None);
            d.destroy_command_pool(commands, None);
            for (buffer, memory) in buffers {
                d.destroy_buffer(buffer, None);
                d.free_memory(memory, None);
            }
            d.destroy_descriptor_pool(pool, None);
            d.destroy_pipeline(pipeline, None);
            d.destroy_pipeline_layout(layout, None);
            d.destroy_descriptor_set_layout(set_layouts[0], None);
            d.destroy_shader_module(module, None);
            Ok(())
        }
    }
}

/// Runs a shader over what is bound to the parameters, as its description says, and brings back
/// what it has written.
pub fn run(code: &[u8], json: &str, groups: [u32; 3], params: &mut [Bound]) -> Result<(), String> {
    let description: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let bindings = description.get("bindings").and_then(Value::as_array).ok_or("a description without bindings")?;
    let number = |b: &Value, key: &str| b.get(key).and_then(Value::as_u64).map(|n| n as usize);
    let mut bound: BTreeMap<u32, (bool, Vec<u8>)> = BTreeMap::new();
    for b in bindings {
        let (Some(binding), Some(param)) = (number(b, "binding"), number(b, "parameter")) else { continue };
        let given = params.get(param).ok_or("a binding of no parameter")?;
        let kind = b.get("kind").and_then(Value::as_str).unwrap_or("");
        let (uniform, bytes) = bound.entry(binding as u32).or_default();
        *uniform = kind == "uniform";
        match (kind, number(b, "offset")) {
            ("counter", _) => bytes.extend(given.counter.to_le_bytes()),
            (_, Some(offset)) => {
                let size = number(b, "size").unwrap_or(0);
                bytes.resize(bytes.len().max(offset + size), 0);
                let count = size.min(given.bytes.len());
                bytes[offset..offset + count].copy_from_slice(&given.bytes[..count]);
            }
            (_, None) => bytes.extend(&given.bytes),
        }
    }
    for b in bindings {
        let multiple = number(b, "multiple").unwrap_or(1).max(1);
        if let Some((_, bytes)) = number(b, "binding").and_then(|k| bound.get_mut(&(k as u32))) {
            bytes.resize(bytes.len().next_multiple_of(multiple), 0);
        }
    }
    let mut list: Vec<(u32, bool, Vec<u8>)> =
        bound.into_iter().map(|(k, (uniform, bytes))| (k, uniform, bytes)).collect();
    let mut machine = machine()?.lock().map_err(|_| "the machine is broken".to_string())?;
    // SAFETY: the code was validated, and each binding of it has a buffer.
    if let Err(why) = unsafe { machine.dispatch(code, groups, &mut list) } {
        // What still runs keeps its machine.
        // SAFETY: as for the first one.
        *machine = unsafe { Machine::new()? };
        return Err(why);
    }
    for b in bindings {
        let (Some(binding), Some(param)) = (number(b, "binding"), number(b, "parameter")) else { continue };
        let Some((.., bytes)) = list.iter().find(|(k, ..)| *k as usize == binding) else { continue };
        match b.get("kind").and_then(Value::as_str) {
            Some("counter") => params[param].counter = u32::from_le_bytes(bytes[..4].try_into().unwrap_or_default()),
            Some("storage") if number(b, "offset").is_none() => {
                let count = params[param].bytes.len();
                params[param].bytes.copy_from_slice(&bytes[..count]);
            }
            _ => {}
        }
    }
    Ok(())
}
