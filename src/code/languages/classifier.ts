/**
 * Worker thread that detects the languages of the files in a folder by linguist's rules, which takes about a millisecond per file and
 * would block requests. For each folder that it is sent it returns an object of languages by file, relative to the folder. Files that
 * are vendored, generated or documentation, that are neither programs nor markup, or that `.gitattributes` excludes, are
 * left out.
 */
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { parentPort } from 'node:worker_threads'
import linguist from 'linguist-js'

readRulesOnce()

parentPort?.on('message', async (folder: string) => {
  const { files } = await linguist(folder, {
    // Use the rules of the package; it would download newer ones otherwise.
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
 * The package parses its rules again on each call, which takes as long as classifying dozens of files. Nothing else in this thread
 * reads YAML, so the YAML parser that the package uses is given a cache.
 */
function readRulesOnce(): void {
  const requireHere = createRequire(import.meta.url)
  const yaml: { load: (text: string) => object } = createRequire(requireHere.resolve('linguist-js'))('js-yaml')
  const { load } = yaml
  const known = new Map<string, object>()
  yaml.load = text => {
    const rules = known.get(text) ?? load(text)
    known.set(text, rules)
    // A shallow copy: the package may remove languages from it.
    return Array.isArray(rules) ? [...rules] : { ...rules }
  }
}
