/**
 * `include`: files of the same commit, of other projects, of other servers. What is included comes first, in its order; the file
 * that includes is put on top. Files that an included one names are looked for where that one lies.
 */
import { limits } from '../limits.ts'
import type { PlanVariable, Sources } from '../plan.ts'
import { withVariables } from '../rules/expression.ts'
import { compileGlob, isGlob } from '../rules/globs.ts'
import type { IncludeRules } from './include_rules.ts'
import { readYaml } from './read.ts'
import { type Budget, ConfigRefused, deepMerge, isList, isMap, type YamlMap, type YamlValue } from './values.ts'

/** Where a file lies, and so where the local ones that it includes are. */
type Place =
  | { readonly in: 'commit' }
  | { readonly in: 'project'; readonly project: string; readonly ref: string | undefined; readonly asPublic: boolean }
  /** Of nobody: it may include only what anybody may read. */
  | { readonly in: 'elsewhere' }

interface Found {
  readonly name: string
  readonly text: string
  readonly place: Place
}

const kinds = ['local', 'project', 'remote', 'template', 'artifact', 'component'] as const

/** Puts together what a CI file includes. One for each file that is read. */
export class Includer {
  readonly #sources: Sources
  readonly #variables: ReadonlyMap<string, string>
  readonly #rules: IncludeRules
  readonly #budget: Budget
  #count = 0

  constructor(sources: Sources, variables: readonly PlanVariable[], rules: IncludeRules, budget: Budget) {
    this.#sources = sources
    this.#variables = new Map(variables.map(({ key, value }) => [key, value]))
    this.#rules = rules
    this.#budget = budget
  }

  /**
   * The file with all it includes.
   * @throws ConfigRefused
   */
  async withIncluded(file: YamlMap, place: Place = { in: 'commit' }): Promise<YamlMap> {
    const entries = file.get('include')
    if (entries === undefined) return file
    // Contract: a key without a value is as good as none (public behaviour at 14.0).
    if (entries === null) return new Map([...file].filter(([key]) => key !== 'include'))
    let merged: YamlMap = new Map()
    for (const entry of isList(entries) ? entries.flat(1) : [entries])
      for (const found of await this.#found(entry as YamlValue, place)) {
        this.#count += 1
        if (this.#count > limits.includes) throw new ConfigRefused(`Maximum of ${limits.includes} nested includes are allowed!`)
        const included = await this.withIncluded(await readYaml(found.text, found.name), found.place)
        merged = deepMerge(merged, included, this.#budget)
      }
    const own = new Map(file)
    own.delete('include')
    return deepMerge(merged, own, this.#budget)
  }

  async #found(entry: YamlValue, place: Place): Promise<Found[]> {
    if (typeof entry === 'string') {
      const text = this.#expand(entry)
      return isUrl(text) ? [await this.#remote(text)] : this.#local(text, place)
    }
    if (!isMap(entry)) throw new ConfigRefused('include config should be a text, a map, or a list of these')
    const kind = this.#kindOf(entry)
    if (!(await this.#rules(entry.get('rules')))) return []
    const value = entry.get(kind)
    if (typeof value !== 'string' || value === '') throw new ConfigRefused(`include:${kind} should be a text`)
    const text = this.#expand(value)
    if (kind === 'remote') return [await this.#remote(text)]
    if (kind === 'local') return this.#local(text, place)
    if (kind === 'project') return this.#project(text, entry, place)
    if (kind === 'template')
      throw new ConfigRefused(`Template \`${text}\` cannot be included: no templates come with this server, include it as a remote file`)
    if (kind === 'component') throw new ConfigRefused(`Component \`${text}\` cannot be included: components are of a later level`)
    throw new ConfigRefused('include:artifact is for child pipelines: use it below trigger')
  }

  #kindOf(entry: YamlMap): (typeof kinds)[number] {
    const given = kinds.filter(kind => entry.has(kind))
    const [kind] = given
    const text = JSON.stringify(Object.fromEntries([...entry].filter(([, value]) => typeof value === 'string')))
    if (kind === undefined)
      throw new ConfigRefused(`Include \`${text}\` needs to match exactly one accessor: local, project, remote or template!`)
    if (given.length > 1) throw new ConfigRefused(`Each include must use only one of: ${given.join(', ')}`)
    const allowed = kind === 'project' ? [kind, 'file', 'ref', 'rules'] : kind === 'component' ? [...entry.keys()] : [kind, 'rules']
    const unknown = [...entry.keys()].filter(key => !allowed.includes(key))
    if (unknown.length > 0) throw new ConfigRefused(`include config contains unknown keys: ${unknown.join(', ')}`)
    return kind
  }

  async #local(written: string, place: Place): Promise<Found[]> {
    const path = written.replace(/^\/+/, '')
    if (!/\.ya?ml$/.test(path)) throw new ConfigRefused(`Included file \`${path}\` does not have YAML extension!`)
    if (place.in === 'elsewhere') throw new ConfigRefused(`Local file \`${path}\` cannot be included by a remote file`)
    if (isGlob(path)) return this.#matching(path, place)
    const text = place.in === 'commit' ? await this.#sources.local(path) : await this.#sources.project({ ...place, file: path })
    if (text === undefined) throw new ConfigRefused(`Local file \`${path}\` does not exist!`)
    return [this.#checked({ name: path, text, place })]
  }

  /** `include: 'ci/*.yml'`: the files of the commit that fit, in the order of their names. */
  async #matching(pattern: string, place: Place): Promise<Found[]> {
    if (place.in !== 'commit') throw new ConfigRefused(`Local file \`${pattern}\`: patterns are for files of the project itself`)
    const matches = compileGlob(pattern)
    const paths = (await this.#sources.files()).filter(path => matches(path)).sort()
    if (paths.length === 0) throw new ConfigRefused(`No file matches \`${pattern}\`!`)
    if (paths.length > limits.includes) throw new ConfigRefused(`Maximum of ${limits.includes} nested includes are allowed!`)
    const found: Found[] = []
    for (const path of paths) {
      const text = await this.#sources.local(path)
      if (text !== undefined) found.push(this.#checked({ name: path, text, place }))
    }
    return found
  }

  async #project(project: string, entry: YamlMap, from: Place): Promise<Found[]> {
    const file = entry.get('file')
    const files = isList(file) ? file : [file]
    if (!files.every(path => typeof path === 'string' && path !== '') || files.length === 0)
      throw new ConfigRefused(`include:project \`${project}\` needs a file, or a list of files`)
    const written = entry.get('ref')
    if (written !== undefined && written !== null && typeof written !== 'string' && typeof written !== 'number')
      throw new ConfigRefused(`include:project \`${project}\`: ref should be a text`)
    const ref = written === undefined || written === null || written === '' ? undefined : this.#expand(String(written))
    const asPublic = from.in === 'elsewhere' || (from.in === 'project' && from.asPublic)
    const found: Found[] = []
    for (const path of files) {
      const name = this.#expand(path as string).replace(/^\/+/, '')
      if (!/\.ya?ml$/.test(name)) throw new ConfigRefused(`Included file \`${name}\` does not have YAML extension!`)
      const text = await this.#sources.project({ project, file: name, ref, asPublic })
      if (text === undefined) throw new ConfigRefused(`Project \`${project}\` file \`${name}\` does not exist!`)
      found.push(this.#checked({ name, text, place: { in: 'project', project, ref, asPublic } }))
    }
    return found
  }

  async #remote(url: string): Promise<Found> {
    if (!isUrl(url)) throw new ConfigRefused(`Remote file \`${url}\` does not have a valid address!`)
    if (!/\.ya?ml$/.test(pathOf(url))) throw new ConfigRefused(`Included file \`${url}\` does not have YAML extension!`)
    const text = await this.#sources.remote(url)
    if (text === undefined) throw new ConfigRefused(`Remote file \`${url}\` could not be fetched!`)
    return this.#checked({ name: url, text, place: { in: 'elsewhere' } })
  }

  #checked(found: Found): Found {
    if (found.text.trim() === '') throw new ConfigRefused(`Included file \`${found.name}\` is empty!`)
    return found
  }

  #expand(text: string): string {
    return withVariables(text, name => this.#variables.get(name))
  }
}

const isUrl = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text)

const pathOf = (url: string): string => new URL(url).pathname
