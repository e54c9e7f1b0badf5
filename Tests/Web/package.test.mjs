// SPDX-License-Identifier: MIT
// The package as its users have it: packed and installed by npm, then checked by TypeScript and bundled by esbuild and Rollup.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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
  const examples = new URL("../../Sources/Web/examples/", import.meta.url);
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
    const parts = (await readdir(new URL("../../Sources/Web/engine/", import.meta.url))).map((name) => `engine/${name}`);
    assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
      "LICENSE", ...parts.sort(), "murmuration-exact.wasm", "murmuration-relaxed.wasm", "murmuration.d.mts", "murmuration.mjs", "package.json",
    ]);
    assert.match(run("node", "whole.mjs"), /^\d{15,}\n$/);
  });

  test("the package that lies beside the page is the same", () => {
    const offered = fileURLToPath(new URL("murmuration-engine.tgz", folder));
    const files = (archive) => run("tar", "-tzf", archive).trim().split("\n").sort();
    assert.deepEqual(files(offered), files(packed.filename));
    const sum = (archive, file) => run("sh", "-c", 'tar -xzOf "$0" "$1" | sha256sum', archive, file);
    for (const file of files(offered)) assert.equal(sum(offered, file), sum(packed.filename, file), file);
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

  test("the article's commands for esbuild bundle it", async () => {
    const article = new URL("../../Sources/Murmuration/Murmuration.docc/Articles/InJavaScript.md", import.meta.url);
    const [, commands] = (await readFile(article, "utf8")).match(/```sh\n(esbuild [^]*?)```/);
    await copyFile(join(place, "whole.mjs"), join(place, "app.js"));
    run("sh", "-ec", commands);
    assert.equal(run("node", "site/app.js"), run("node", "whole.mjs"));
  });

  test("esbuild and Rollup bundle the example for three.js", async () => {
    const three = join(place, "node_modules/three");
    await mkdir(three);
    await put("node_modules/three/package.json", '{ "name": "three", "type": "module", "main": "three.module.js" }');
    await copyFile(process.env.MURMURATION_THREE, join(three, "three.module.js"));
    await copyFile(new URL("instances.js", examples), join(place, "instances.js"));
    await copyFile(new URL("rollup.config.mjs", examples), join(place, "rollup.config.mjs"));
    run("esbuild", "instances.js", "--bundle", "--format=esm", "--outdir=three", "--log-level=error");
    run("rollup", "instances.js", "-c", "--silent", "--failAfterWarnings", "-d", "three-by-rollup");
    for (const folder of ["three", "three-by-rollup"]) {
      assert.match(await read(`${folder}/instances.js`), /batch_create[^]*WebGLRenderer|WebGLRenderer[^]*batch_create/);
    }
  });

  test("Rollup bundles it, finds its modules, and leaves out what is not used", async () => {
    await copyFile(new URL("rollup.config.mjs", examples), join(place, "rollup.config.mjs"));
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
