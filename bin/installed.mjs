/** Lets Node load the program where it is installed as a package: by itself it reads no TypeScript below a `node_modules`. */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('../src/', import.meta.url).href

registerHooks({
  load(url, context, next) {
    const [file] = url.split('?', 1)
    if (!file.startsWith(source) || !file.endsWith('.ts')) return next(url, context)
    return { format: 'module', source: stripTypeScriptTypes(readFileSync(fileURLToPath(file), 'utf8')), shortCircuit: true }
  },
})
