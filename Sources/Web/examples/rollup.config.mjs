// SPDX-License-Identifier: MIT
// Rollup without packages of plugins: packages are looked up as Node does it, and files that code names by
// `new URL("./file", import.meta.url)` are written beside the bundle, under names of the bundler's.
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const packages = {
  name: "packages",
  async resolveId(name, from) {
    if (!from || /^[./]/.test(name)) return null;
    const require = createRequire(from);
    const { sideEffects } = JSON.parse(await readFile(require.resolve(`${name}/package.json`), "utf8"));
    return { id: require.resolve(name), moduleSideEffects: sideEffects };
  },
};

const files = {
  name: "files",
  async transform(code, id) {
    for (const [expression, path] of code.matchAll(/new URL\("(\.\/[^"]+)", import\.meta\.url\)/g)) {
      const file = this.emitFile({ type: "asset", name: path.slice(2), source: await readFile(join(dirname(id), path)) });
      code = code.replace(expression, `new URL(import.meta.ROLLUP_FILE_URL_${file})`);
    }
    return { code, map: null };
  },
};

export default { plugins: [packages, files], output: { assetFileNames: "[name]-[hash][extname]" } };
