/**
 * Runs in a thread: detects the languages of the files in a folder by linguist's rules, which takes about a millisecond per file and
 * would block requests.
 */
import { createRequire } from 'node:module'
import { relative } from 'node:path'

const requireHere = createRequire(import.meta.url)
const requireOfPackage = createRequire(requireHere.resolve('linguist-js'))

readRulesOnce()
compilePatternsOnce()

// Loaded after what it uses was given a cache.
const linguist: typeof import('linguist-js') = requireHere('linguist-js')

/**
 * Languages by file, relative to the folder. Files that are vendored, generated or documentation, that are neither programs nor markup, or that
 * `.gitattributes` excludes, are left out.
 */
export default async function classify(folder: string): Promise<Record<string, string>> {
  const { files } = await linguist(folder, {
    // Use the rules of the package; it would download newer ones otherwise.
    offline: true,
    calculateLines: false,
    categories: ['programming', 'markup'],
  })
  const languages = Object.entries(files.results).flatMap(([file, language]) =>
    language === null ? [] : [[relative(folder, file), language]],
  )
  return Object.fromEntries(languages)
}

/**
 * The package parses its rules again on each call, which takes as long as classifying dozens of files. Nothing else in this thread
 * reads YAML, so the YAML parser that the package uses is given a cache.
 */
function readRulesOnce(): void {
  const yaml: { load: (text: string) => object } = requireOfPackage('js-yaml')
  const { load } = yaml
  const known = new Map<string, object>()
  yaml.load = text => {
    const rules = known.get(text) ?? load(text)
    known.set(text, rules)
    // A shallow copy: the package may remove languages from it.
    return Array.isArray(rules) ? [...rules] : { ...rules }
  }
}

/** What the package calls of a matcher of patterns as `.gitignore` has them. */
interface Matcher {
  add(patterns: unknown): Matcher
  ignores(path: string): boolean
  filter(paths: readonly string[]): string[]
  test(path: string): { readonly ignored: boolean }
}

/** Matchers of one pattern that are kept. */
const KEPT = 10_000

/**
 * The package makes a matcher of each line of `.gitattributes` for each file again, which takes several times as long as matching. A matcher to
 * which one pattern was added is one that was made before.
 */
function compilePatternsOnce(): void {
  const place = requireOfPackage.resolve('ignore')
  const make: () => Matcher = requireOfPackage('ignore')
  const known = new Map<string, Matcher>()

  const ofPattern = (pattern: string): Matcher => {
    const matcher = known.get(pattern) ?? make().add(pattern)
    if (known.size >= KEPT && !known.has(pattern)) known.clear()
    known.set(pattern, matcher)
    return matcher
  }

  class Collected implements Matcher {
    readonly #patterns: unknown[] = []
    #made: Matcher | undefined

    add(patterns: unknown): Matcher {
      this.#patterns.push(...[patterns].flat())
      this.#made = undefined
      return this
    }

    get #matcher(): Matcher {
      const [first, ...others] = this.#patterns
      this.#made ??= others.length === 0 && typeof first === 'string' ? ofPattern(first) : make().add(this.#patterns)
      return this.#made
    }

    ignores(path: string): boolean {
      return this.#matcher.ignores(path)
    }

    filter(paths: readonly string[]): string[] {
      return this.#matcher.filter(paths)
    }

    test(path: string): { readonly ignored: boolean } {
      return this.#matcher.test(path)
    }
  }

  const loaded = requireHere.cache[place]
  if (loaded) loaded.exports = () => new Collected()
}
