/** The built files of the browser: where they lie, what they are called, and how one is read. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { encodingFor } from '../../kernel/answer/encoding.ts'

/** Where the build puts them. */
export const ASSETS_FOLDER = resolve(import.meta.dirname, '../../../../dist/assets')

/** Where they are served. */
export const ASSETS_PATH = '/-/assets'

/** The names with digest of the built files, by their plain names. */
export type Manifest = Readonly<Record<string, string>>

let known: Manifest | undefined

/** @throws Error with what to do, where nothing was built */
function manifest(): Manifest {
  if (known) return known
  try {
    known = JSON.parse(readFileSync(join(ASSETS_FOLDER, 'manifest.json'), 'utf8')) as Manifest
    return known
  } catch (cause) {
    throw new Error('The files of the pages are not built: run `npm run build`', { cause })
  }
}

/** The address of a built file: `main.js` as `/-/assets/main-3fZ9….js`. */
export function assetPath(name: string): string {
  const hashed = manifest()[name]
  if (hashed === undefined) throw new Error(`${name} is not among the built files of the pages: run \`npm run build\``)
  return `${ASSETS_PATH}/${hashed}`
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
}

/** What browsers may keep: a name with a digest stands for its contents, a plain one for those of the newest build. */
const KEPT_FOR_EVER = 'public, max-age=31536000, immutable'
const ASKED_AGAIN = 'no-cache'

/**
 * A built file by its name with or without the digest, in the best coding that the client takes; undefined for a name that this build does not
 * have.
 */
export async function readAsset(
  name: string,
  acceptEncoding: string | undefined,
): Promise<{ readonly body: Buffer; readonly headers: Record<string, string> } | undefined> {
  const built = new Map(Object.entries(manifest()))
  const file = built.get(name) ?? name
  const plain = file.replace(/\.map$/, '')
  const type = types[extname(file)]
  if (type === undefined || ![...built.values()].includes(plain)) return undefined
  const encoding = file === plain ? encodingFor(acceptEncoding) : 'identity'
  const ending = { br: '.br', gzip: '.gz', identity: '' }[encoding]
  return {
    body: await readFile(join(ASSETS_FOLDER, file + ending)),
    headers: {
      'content-type': type,
      'cache-control': built.has(name) ? ASKED_AGAIN : KEPT_FOR_EVER,
      vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    },
  }
}
