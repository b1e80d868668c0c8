/**
 * Builds what browsers load, once: `npm ci` runs it (`prepare`), the tests run it, `npm run dev` watches. esbuild bundles the scripts and the style
 * sheet below `../client`; the icons become one file of symbols. Each file has a digest of its contents in its name, so browsers may keep it for
 * ever, and lies there compressed too. `manifest.json` says which names belong together.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { build, transform } from 'esbuild'
import { ASSETS_FOLDER, type Manifest } from './files.ts'
import { icons } from './icons.ts'
import { withoutUnusedProperties } from './unused_properties.ts'

const client = join(import.meta.dirname, '..', 'client')

/** The script that all pages load. */
const entries = { main: join(client, 'main.ts') }

/** Scripts of some pages, which load parts of theirs when they need them. */
const partedEntries = {
  code_editor: join(client, 'editor', 'code_editor.ts'),
  ci_editor: join(client, 'editor', 'ci', 'ci_editor.ts'),
  conflicts: join(client, 'editor', 'conflicts.ts'),
  markdown_editor: join(client, 'writing', 'markdown_editor.ts'),
  lists: join(client, 'search', 'lists.ts'),
  board: join(client, 'sorting', 'board.ts'),
  pipelines: join(client, 'reading', 'pipelines.ts'),
  security_key: join(client, 'writing', 'security_key.ts'),
  badge_preview: join(client, 'writing', 'badge_preview.ts'),
  variable_rows: join(client, 'writing', 'variable_rows.ts'),
  next_runs: join(client, 'writing', 'next_runs.ts'),
  sortable_list: join(client, 'sorting', 'sortable_list.ts'),
  diffs: join(client, 'diffs', 'diffs.ts'),
  review: join(client, 'diffs', 'review', 'diff_review.ts'),
  api_request: join(client, 'reading', 'api_request.ts'),
  diagram: join(client, 'reading', 'drawing', 'frame.ts'),
}

/** A file as it is written. */
interface Built {
  /** As the manifest calls it: `main.js`. */
  readonly name: string
  readonly bytes: Buffer
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 12)

/** `main.js` with these contents as `main-3fZ9….js`. */
const hashedName = (name: string, bytes: Buffer): string => `${basename(name, extname(name))}-${digestOf(bytes)}${extname(name)}`

/** The scripts, with source maps. The map's name is in the script, so both carry the digest of the script. */
async function buildScripts(): Promise<readonly Built[]> {
  const { outputFiles } = await build({
    entryPoints: entries,
    bundle: true,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    target: ['chrome120', 'firefox121', 'safari17'],
    outdir: 'out',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles.map(({ path, contents }) => ({ name: basename(path), bytes: Buffer.from(contents) }))
}

/**
 * The scripts that load parts of theirs: each names its parts, so esbuild gives all of them their digests. The manifest has the entries by their
 * plain names, and the parts by names that nobody asks for.
 */
async function buildPartedScripts(): Promise<ReadonlyMap<string, Built>> {
  const { outputFiles } = await build({
    entryPoints: partedEntries,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome120', 'firefox121', 'safari17'],
    outdir: 'out',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  })
  const entryOf = (file: string) => Object.keys(partedEntries).find(entry => file.startsWith(`${entry}-`))
  return new Map(
    outputFiles.map(({ path, contents }) => {
      const file = basename(path)
      const entry = entryOf(file)
      return [entry === undefined ? `part of a script: ${file}` : `${entry}.js`, { name: file, bytes: Buffer.from(contents) }]
    }),
  )
}

/** The style sheet: only the custom properties that something uses. */
async function buildStyles(): Promise<Built> {
  const { outputFiles } = await build({
    entryPoints: [join(client, 'styles', 'main.css')],
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
    legalComments: 'none',
  })
  const { code } = await transform(withoutUnusedProperties(outputFiles[0]!.text), { loader: 'css', minify: true })
  return { name: 'main.css', bytes: Buffer.from(code) }
}

/** The icons as symbols of one SVG: a page names them (`components/icon.ts`). */
async function buildIcons(): Promise<Built> {
  const folder = join(createRequire(import.meta.url).resolve('@primer/octicons'), '..', 'build', 'svg')
  const symbols = await Promise.all(
    icons.map(async name => {
      const svg = await readFile(join(folder, `${name}-16.svg`), 'utf8')
      return `<symbol id="${name}" viewBox="0 0 16 16">${svg.replace(/^.*?<svg[^>]*>|<\/svg>\s*$/gs, '')}</symbol>`
    }),
  )
  return { name: 'icons.svg', bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`) }
}

/** How hard brotli tries: the most for what every page loads; parts, of which there are many, lose some hundredths. */
const HARDEST = zlib.BROTLI_MAX_QUALITY
const FOR_PARTS = 9

/** Writes a file with its compressed forms. */
async function write(folder: string, name: string, bytes: Buffer, quality = HARDEST): Promise<void> {
  await writeFile(join(folder, name), bytes)
  if (name.endsWith('.map')) return
  await writeFile(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  await writeFile(
    join(folder, `${name}.br`),
    brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
}

/** Builds everything. Files of earlier builds stay until the new manifest is in place. */
export async function buildAssets(folder = ASSETS_FOLDER): Promise<Manifest> {
  const logo = { name: 'logo.svg', bytes: await readFile(join(client, 'logo.svg')) }
  const built = [...(await buildScripts()), await buildStyles(), await buildIcons(), logo]
  await mkdir(folder, { recursive: true })
  const manifest: Record<string, string> = {}
  for (const { name, bytes } of built.filter(({ name }) => !name.endsWith('.map'))) {
    const hashed = hashedName(name, bytes)
    const map = built.find(other => other.name === `${name}.map`)
    if (map) await write(folder, `${hashed}.map`, map.bytes)
    await write(folder, hashed, map ? Buffer.concat([bytes, Buffer.from(`//# sourceMappingURL=${hashed}.map\n`)]) : bytes)
    manifest[name] = hashed
  }
  for (const [name, { name: file, bytes }] of await buildPartedScripts()) {
    await write(folder, file, bytes, FOR_PARTS)
    manifest[name] = file
  }
  // Two builds at the same time write the same files; the last manifest wins, in one step.
  const draft = join(folder, `manifest.${process.pid}.json`)
  await writeFile(draft, JSON.stringify(manifest, null, 2))
  await rename(draft, join(folder, 'manifest.json'))
  const kept = new Set(['manifest.json', ...Object.values(manifest).flatMap(name => [name, `${name}.map`, `${name}.gz`, `${name}.br`])])
  for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name), { force: true })
  return manifest
}

if (import.meta.main) await buildAssets()
