/**
 * A thread that says which language the files of a folder are written in, by linguist's rules: it takes about a
 * millisecond of the processor for each file, in which no request could be served. Answers each folder that it is sent
 * with an object of languages by file, relative to the folder. Files that are vendored, generated, documentation, or
 * neither programs nor markup are left out, as are those that `.gitattributes` takes out.
 */
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { parentPort } from 'node:worker_threads'
import linguist from 'linguist-js'

readRulesOnce()

parentPort?.on('message', async (folder: string) => {
  const { files } = await linguist(folder, {
    // The rules that came with the package; it would fetch newer ones.
    offline: true,
    calculateLines: false,
    categories: ['programming', 'markup'],
  })
  const languages = Object.entries(files.results).flatMap(([file, language]) =>
    language === null ? [] : [[relative(folder, file), language]],
  )
  parentPort?.postMessage(Object.fromEntries(languages))
})

/**
 * The package reads its rules anew with each call, which takes as long as looking at dozens of files. In this thread nothing else reads YAML,
 * so the reader that the package finds keeps what it has read.
 */
function readRulesOnce(): void {
  const requireHere = createRequire(import.meta.url)
  const yaml: { load: (text: string) => object } = createRequire(requireHere.resolve('linguist-js'))('js-yaml')
  const { load } = yaml
  const known = new Map<string, object>()
  yaml.load = text => {
    const rules = known.get(text) ?? load(text)
    known.set(text, rules)
    // A copy of the outermost: the package may leave languages out of it.
    return Array.isArray(rules) ? [...rules] : { ...rules }
  }
}
