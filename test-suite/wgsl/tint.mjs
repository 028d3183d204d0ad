// Judges texts in WGSL by tint, as Dawn has it (the package `webgpu` of npm), where there is no
// program of that name: node tint.mjs PACKAGE FILE. Nothing is run, so that no GPU is needed.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { create } = await import(pathToFileURL(folder));
const gpu = create(["backend=null"]);
const adapter = await gpu.requestAdapter();
// A kernel may use what the device has.
const device = await adapter.requestDevice({ requiredFeatures: [...adapter.features] });
device.pushErrorScope("validation");
const module = device.createShaderModule({ code: readFileSync(file, "utf8") });
const { messages } = await module.getCompilationInfo();
const wrong = messages.filter((m) => m.type === "error");
for (const m of wrong) console.error(`${file}:${m.lineNum}:${m.linePos} ${m.type}: ${m.message}`);
const error = await device.popErrorScope();
if (error && wrong.length === 0) console.error(error.message);
process.exit(error || wrong.length > 0 ? 1 : 0);
