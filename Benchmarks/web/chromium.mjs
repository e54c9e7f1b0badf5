// SPDX-License-Identifier: MIT
// Runs springs.mjs in headless Chromium: node Benchmarks/web/chromium.mjs [TRACKS] [FOLDER], after
// `swift build --product murmuration-serve` and Scripts/build-web.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../../Scripts/lib/browser.mjs";

const [, , tracks = "100000", folder = ".build/web"] = process.argv;
const served = mkdtempSync(join(tmpdir(), "murmuration-springs-"));
cpSync(folder, served, { recursive: true });
cpSync(new URL("springs.mjs", import.meta.url), join(served, "springs.mjs"));
writeFileSync(join(served, "springs.html"), '<!doctype html><title>Springs</title><script type="module" src="springs.mjs"></script>');

const server = spawn(".build/debug/murmuration-serve", ["--port", "0", "--folder", served], { stdio: ["ignore", "pipe", "inherit"] });
try {
  const address = await new Promise((resolve, reject) => {
    server.stdout.once("data", (data) => resolve(String(data).trim()));
    server.once("exit", () => reject(new Error("murmuration-serve did not start")));
  });
  const browser = await Browser.launch();
  try {
    const page = await browser.open(`${address}springs.html?tracks=${tracks}`);
    await page.until("globalThis.rows", 120);
    console.table(await page.value("rows"));
    console.log(`${tracks} tracks, ${await page.value("navigator.userAgent")}`);
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
  rmSync(served, { recursive: true });
}
