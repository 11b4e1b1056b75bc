import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const types: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** Writes `files.rs` beside the built files: the list by which the Rust program embeds the built files. */
function listForRust(): Plugin {
  return {
    name: "list-for-rust",
    writeBundle({ dir = "dist" }) {
      const names = readdirSync(dir, { recursive: true })
        .map(String)
        .filter((name) => statSync(join(dir, name)).isFile() && name !== "files.rs")
        .sort();
      const rows = names.map((name) => {
        const type = types[name.split(".").pop() ?? ""];
        if (!type) throw new Error(`no media type is known for ${name}`);
        return `    ("/${name}", "${type}", include_bytes!("${name}")),\n`;
      });
      writeFileSync(join(dir, "files.rs"), `// Written by \`npm run build\` in api/web.\n[\n${rows.join("")}]\n`);
    },
  };
}

export default defineConfig({
  plugins: [listForRust()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // Small files would become data: URLs otherwise, which the Content-Security-Policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { "/v1": process.env.PAGADE ?? "http://127.0.0.1:8080" } },
});

