/**
 * Builds the program as a few files of JavaScript, `dist/server`, which `bin/ingot` starts while no source is newer: some two thousand files are not
 * found, stripped of their types, linked and loaded one by one, and a thousand files of libraries with them. `npm run build` runs it.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { apart, licencesOf } from './libraries.ts'
import { type ServedEndpoint, servedEndpoints } from './served_endpoints.ts'

const root = join(import.meta.dirname, '../../..')

const sources = join(root, 'src')

/** Libraries of CommonJS ask for modules of Node, and for libraries that stay apart. */
const REQUIRE = "import { createRequire as requireOfProgram } from 'node:module'; const require = requireOfProgram(import.meta.url);"

/**
 * Files beside a source (threads, programs of processes of their own, data) stay there: what a source knows of its own place is that of the source.
 * All files of the bundle lie in one folder, so the way there is the same from each.
 */
const placesOfSources = (folder: string): Plugin => ({
  name: 'places of sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(sources)) return
      const text = await readFile(path, 'utf8')
      const place = relative(folder, path)
      const contents = text
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(place)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
        .replaceAll('import.meta.main', 'false')
      return { contents, loader: 'ts' }
    })
  },
})

const servedEndpointsModule = join(sources, 'server/bundle/served_endpoints.ts')

/** Puts the list of endpoints in place of the module that loads all of them. */
const knownEndpoints = (endpoints: readonly ServedEndpoint[]): Plugin => ({
  name: 'known endpoints',
  setup({ onLoad }) {
    const contents = `export const servedEndpoints = async () => JSON.parse(${JSON.stringify(JSON.stringify(endpoints))})`
    onLoad({ filter: /served_endpoints\.ts$/ }, ({ path }) => (path === servedEndpointsModule ? { contents, loader: 'js' } : undefined))
  },
})

/**
 * Escapes letters beyond ASCII. With one of them Node has V8 keep the whole text of a file as two bytes a letter, for as long as the program runs. esbuild
 * leaves them where a tag could see the difference, and in regular expressions; no tag of the program looks at what is escaped.
 * @throws Error for such a letter behind a backslash, which would escape the escape
 */
export function escapeLetters(code: string): string {
  const escaped = /\\[\u0080-\uffff]/.exec(code)
  if (escaped) throw new Error(`Take the backslash away from ${escaped[0]} in a source or library`)
  return code.replace(/[\u0080-\uffff]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Builds the program, and puts it in place of the former one when it is whole.
 * @param folder within the project, since libraries are found from there
 */
export async function buildProgram(folder = join(root, 'dist', 'server')): Promise<void> {
  const built = `${folder}.new`
  await rm(built, { recursive: true, force: true })
  await mkdir(built, { recursive: true })
  const { mtime: began } = await stat(built)
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(sources, 'main.ts')],
    outdir: built,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A command loads only what it needs.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: [...apart],
    banner: { js: REQUIRE },
    // The text stays in memory as long as the program runs. Lines have a length that the places in a trace can be found by.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'none',
    metafile: true,
    plugins: [knownEndpoints(await servedEndpoints()), placesOfSources(folder)],
    logLevel: 'warning',
  })
  for (const name of Object.keys(metafile.outputs)) {
    const file = join(root, name)
    await writeFile(file, escapeLetters(await readFile(file, 'utf8')))
  }
  await writeFile(join(built, 'LICENSES'), await licencesOf(metafile, root))
  // A source that is changed meanwhile is newer.
  await utimes(join(built, 'main.mjs'), began, began)
  await rm(folder, { recursive: true, force: true })
  await rename(built, folder)
}

/** Whether the program is there, and newer than all sources and the list of libraries, as `bin/ingot` finds it. */
async function isBuilt(): Promise<boolean> {
  const built = await stat(join(root, 'dist', 'server', 'main.mjs')).catch(() => undefined)
  if (built === undefined) return false
  const names = (await readdir(sources, { recursive: true })).map(name => join('src', name))
  const deciding = [...names, 'package.json', 'package-lock.json'].filter(name => !name.endsWith('.test.ts'))
  const changes = deciding.map(name => stat(join(root, name)))
  return (await Promise.all(changes)).every(each => !each.isFile() || each.mtimeMs <= built.mtimeMs)
}

/** Builds the program where it is older than a source. */
export async function buildChangedProgram(): Promise<void> {
  if (!(await isBuilt())) await buildProgram()
}

if (import.meta.main) await buildProgram()
