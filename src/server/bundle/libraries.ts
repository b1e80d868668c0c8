/** The libraries that the built program contains, and what their licences ask of a copy: that it comes with their texts. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/**
 * Libraries that stay where npm has put them: they are loaded when they are first used or never (`import-fresh`, `pg-native`), have compiled parts or
 * threads of their own, or look for files beside them.
 */
export const apart: readonly string[] = [
  ...['@asciidoctor/core', '@aws-sdk/*', '@lezer/*', '@primer/*', '@simplewebauthn/server', 'esbuild', 'highlight.js', 'imapflow'],
  ...['import-fresh', 'linguist-js', 'mmdb-lib', 'openpgp', 'pg-native', 'pino', 'ssh2', 'temml'],
]

/** The folder of a package that a file belongs to. */
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/

/** Names of files with licences and notices, as packages have them. */
const legal = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/**
 * The licences of the libraries in a bundle, as one text.
 * @param root the folder that the paths of the bundle's inputs begin at
 */
export async function licencesOf({ outputs }: Metafile, root: string): Promise<string> {
  const inputs = Object.values(outputs).flatMap(output => Object.entries(output.inputs))
  const folders = new Set(inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (packageFolder.exec(path) ?? []) : [])))
  const parts = await Promise.all([...folders].sort().map(folder => licenceOf(join(root, folder))))
  return `The files of this folder contain code of these libraries.\n${[...new Set(parts)].join('')}`
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter(file => legal.test(file)).sort()
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  return [`\n${'-'.repeat(80)}\n${name} ${version} (${license})\n`, ...texts.map(text => `\n${text.trim()}\n`)].join('')
}
