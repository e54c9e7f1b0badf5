// SPDX-License-Identifier: MIT
// The package as its users have it: packed and installed by npm, then checked by TypeScript and bundled by esbuild and Rollup.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { folder } from "./support.mjs";

// Which module is loaded makes no difference here, so this runs with the first set of them alone.
describe("package", { skip: process.env.MURMURATION_MODULES !== undefined }, () => {
  let place, packed;
  const run = (command, ...words) => execFileSync(command, words, {
    cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, npm_config_cache: join(place, "cache"), npm_config_update_notifier: "false" },
  });
  const put = (name, code) => writeFile(join(place, name), code);
  const read = (name) => readFile(join(place, name), "utf8");

  before(async () => {
    place = await mkdtemp(join(tmpdir(), "murmuration-package-"));
    await put("package.json", '{ "private": true, "type": "module" }');
    [packed] = JSON.parse(run("npm", "pack", "--json", fileURLToPath(folder)));
    run("npm", "install", "--offline", "--no-audit", "--no-fund", `./${packed.filename}`);
    await put("whole.mjs", `
      import { load } from "murmuration-engine";
      console.log(String((await load({ module: "exact" })).sameBitsHash()));`);
    await put("part.mjs", `
      import { spring } from "murmuration-engine";
      console.log(JSON.stringify(spring({ duration: 2 }).spring));`);
    await put("nothing.mjs", 'import "murmuration-engine"; console.log("nothing");');
  });
  after(() => rm(place, { recursive: true }));

  test("npm packs what the package needs, and not the page", async () => {
    const header = await readFile(new URL("../../Sources/CSurface/include/murmuration.h", import.meta.url), "utf8");
    const version = ["MAJOR", "MINOR", "PATCH"].map((part) => header.match(`MURMURATION_VERSION_${part} (\\d+)`)[1]).join(".");
    assert.equal(packed.version, version);
    assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
      "LICENSE", "murmuration-exact.wasm", "murmuration-relaxed.wasm", "murmuration.d.mts", "murmuration.mjs", "package.json",
    ]);
    assert.match(run("node", "whole.mjs"), /^\d{15,}\n$/);
  });

  for (const [resolution, ...options] of [
    ["node16", "--module", "node16"], ["node", "--module", "es2022"], ["node", "--module", "es2022", "--lib", "es2022,dom"],
  ]) {
    test(`tsc --strict finds the types: ${resolution} ${options.join(" ")}`, async () => {
      for (const [name, from] of [["installed", "murmuration-engine"], ["beside", "./node_modules/murmuration-engine/murmuration.mjs"]]) {
        const code = await readFile(new URL("types.mts", import.meta.url), "utf8");
        await put(`${name}.mts`, code.replace('"murmuration-engine"', `"${from}"`));
      }
      const lib = options.includes("--lib") ? [] : ["--lib", "es2022"];
      const common = ["--strict", "--noEmit", "--target", "es2022", "--moduleResolution", resolution];
      try {
        run("tsc", ...common, ...options, ...lib, "installed.mts", "beside.mts");
      } catch ({ stdout }) {
        assert.fail(stdout);
      }
    });
  }

  /** Checks bundles of the three programs: `bundle` writes one from a file to another. */
  async function checkBundles(bundle, hash) {
    await rm(join(place, "out"), { recursive: true, force: true });
    await bundle("whole.mjs", "out/whole.js");
    assert.equal(run("node", "out/whole.js"), hash);
    await bundle("part.mjs", "out/part.js");
    assert.equal(run("node", "out/part.js"), '{"duration":2}\n');
    const part = await read("out/part.js");
    assert.ok(part.length < 5000 && !/WebAssembly|FinalizationRegistry/.test(part), `${part.length} characters: ${part}`);
    await bundle("nothing.mjs", "out/nothing.js");
    assert.equal((await read("out/nothing.js")).replace(/^\/\/.*\n/m, "").trim(), 'console.log("nothing");');
  }

  test("esbuild bundles it for browsers, and leaves out what is not used", async () => {
    await checkBundles(async (from, to) => {
      run("esbuild", from, "--bundle", "--platform=browser", "--format=esm", "--target=es2022", "--log-level=error", `--outfile=${to}`);
      for (const module of ["exact", "relaxed"]) {
        const name = `murmuration-${module}.wasm`;
        await copyFile(join(place, "node_modules/murmuration-engine", name), join(place, "out", name));
      }
    }, run("node", "whole.mjs"));
  });

  test("Rollup bundles it, finds its modules, and leaves out what is not used", async () => {
    await copyFile(new URL("rollup.config.mjs", import.meta.url), join(place, "rollup.config.mjs"));
    let names;
    await checkBundles(async (from, to) => {
      run("rollup", from, "-c", "--silent", "--failAfterWarnings", "-f", "es", "-d", "out");
      names = [...(names ?? []), ...(await readdir(join(place, "out")))];
      await copyFile(join(place, "out", from.replace(".mjs", ".js")), join(place, to));
    }, run("node", "whole.mjs"));
    const modules = names.filter((name) => name.endsWith(".wasm")).map((name) => name.replace(/-[0-9a-f]{8}\.wasm$/, ""));
    assert.deepEqual([...new Set(modules)].sort(), ["murmuration-exact", "murmuration-relaxed"]);
  });
});
