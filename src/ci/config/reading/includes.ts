/**
 * `include`: files of the same commit, of other projects, of other servers, and templates that come with this one. Included files are merged in their order, and the including
 * file over them. Paths in an included file are relative to the place where it lies.
 */
import { loggedUrl } from '../../../platform/outbound/shown_url.ts'
import { Secret } from '../../../platform/secret.ts'
import { limits } from '../limits.ts'
import type { Located, Sources, SubjectVariable } from '../plan.ts'
import { type Lookup, withVariables } from '../rules/expression.ts'
import { compileGlob, isGlob } from '../rules/globs.ts'
import { lookupAmong } from '../rules/lookup.ts'
import type { IncludeRules } from './include_rules.ts'
import { readYaml } from './read.ts'
import { type Budget, ConfigRefused, deepMerge, isList, isMap, type YamlMap, type YamlValue } from './values.ts'

/** Where a file lies; its local includes are looked up there. */
type Place =
  | { readonly in: 'commit' }
  | { readonly in: 'project'; readonly project: Located; readonly ref: Located | undefined; readonly asPublic: boolean }
  /** A remote file belongs to no project: it may include only what is public. */
  | { readonly in: 'elsewhere' }

interface Found {
  /** The name used in messages. */
  readonly name: string
  readonly text: string
  readonly place: Place
}

const kinds = ['local', 'project', 'remote', 'template', 'artifact', 'component'] as const

/** Resolves the includes of a CI file. One instance for each root file. */
export class Includer {
  readonly #sources: Sources
  readonly #lookup: Lookup
  readonly #rules: IncludeRules
  readonly #budget: Budget
  #count = 0

  constructor(sources: Sources, variables: readonly SubjectVariable[], rules: IncludeRules, budget: Budget) {
    this.#sources = sources
    this.#lookup = lookupAmong(variables)
    this.#rules = rules
    this.#budget = budget
  }

  /**
   * The file merged with all its includes.
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
      const at = this.#located(entry)
      return isUrl(at.meant.reveal()) ? [await this.#remote(at)] : this.#local(at, place)
    }
    if (!isMap(entry)) throw new ConfigRefused('include config should be a text, a map, or a list of these')
    const kind = this.#kindOf(entry)
    if (!(await this.#rules(entry.get('rules')))) return []
    const value = entry.get(kind)
    if (typeof value !== 'string' || value === '') throw new ConfigRefused(`include:${kind} should be a text`)
    const at = this.#located(value)
    if (kind === 'remote') return [await this.#remote(at)]
    if (kind === 'local') return this.#local(at, place)
    if (kind === 'project') return this.#project(at, entry, place)
    if (kind === 'template') return [await this.#template(at)]
    if (kind === 'component') throw new ConfigRefused(`Component \`${named(value)}\` cannot be included: components are of a later level`)
    throw new ConfigRefused('include:artifact is for child pipelines: use it below trigger')
  }

  #kindOf(entry: YamlMap): (typeof kinds)[number] {
    const given = kinds.filter(kind => entry.has(kind))
    const [kind] = given
    const texts = [...entry].flatMap(([key, value]) => (typeof value === 'string' ? [[key, named(value)]] : []))
    const text = JSON.stringify(Object.fromEntries(texts))
    if (kind === undefined)
      throw new ConfigRefused(`Include \`${text}\` needs to match exactly one accessor: local, project, remote or template!`)
    if (given.length > 1) throw new ConfigRefused(`Each include must use only one of: ${given.join(', ')}`)
    const allowed = kind === 'project' ? [kind, 'file', 'ref', 'rules'] : kind === 'component' ? [...entry.keys()] : [kind, 'rules']
    const unknown = [...entry.keys()].filter(key => !allowed.includes(key))
    if (unknown.length > 0) throw new ConfigRefused(`include config contains unknown keys: ${unknown.join(', ')}`)
    return kind
  }

  async #local(at: Located, place: Place): Promise<Found[]> {
    const path = withoutSlash({ ...at, written: named(at.written) })
    requireYaml(path)
    const { written } = path
    if (place.in === 'elsewhere') throw new ConfigRefused(`Local file \`${written}\` cannot be included by a remote file`)
    if (isGlob(path.meant.reveal())) return this.#matching(path, place)
    const text = place.in === 'commit' ? await this.#sources.local(path) : await this.#sources.project({ ...place, file: path })
    if (text === undefined) throw new ConfigRefused(`Local file \`${written}\` does not exist!`)
    return [this.#checked({ name: written, text, place })]
  }

  /** `include: 'ci/*.yml'`: the matching files of the commit, sorted by name. */
  async #matching({ written, meant }: Located, place: Place): Promise<Found[]> {
    if (place.in !== 'commit') throw new ConfigRefused(`Local file \`${written}\`: patterns are for files of the project itself`)
    const pattern = meant.reveal()
    const matches = compileGlob(pattern)
    const paths = (await this.#sources.files()).filter(path => matches(path)).sort()
    if (paths.length === 0) throw new ConfigRefused(`No file matches \`${written}\`!`)
    if (paths.length > limits.includes) throw new ConfigRefused(`Maximum of ${limits.includes} nested includes are allowed!`)
    const found: Found[] = []
    for (const path of paths) {
      // Naming the path that matches would show the variable's value.
      const name = written === pattern ? path : written
      const text = await this.#sources.local({ written: name, meant: new Secret(path) })
      if (text !== undefined) found.push(this.#checked({ name, text, place }))
    }
    return found
  }

  async #project(project: Located, entry: YamlMap, from: Place): Promise<Found[]> {
    const file = entry.get('file')
    const files = isList(file) ? file : [file]
    if (!files.every(path => typeof path === 'string' && path !== '') || files.length === 0)
      throw new ConfigRefused(`include:project \`${project.written}\` needs a file, or a list of files`)
    const written = entry.get('ref')
    if (written !== undefined && written !== null && typeof written !== 'string' && typeof written !== 'number')
      throw new ConfigRefused(`include:project \`${project.written}\`: ref should be a text`)
    const ref = written === undefined || written === null || written === '' ? undefined : this.#located(String(written))
    const asPublic = from.in === 'elsewhere' || (from.in === 'project' && from.asPublic)
    const found: Found[] = []
    for (const path of files) {
      const at = withoutSlash(this.#located(path as string))
      requireYaml(at)
      const text = await this.#sources.project({ project, file: at, ref, asPublic })
      if (text === undefined) throw new ConfigRefused(`Project \`${project.written}\` file \`${at.written}\` does not exist!`)
      found.push(this.#checked({ name: at.written, text, place: { in: 'project', project, ref, asPublic } }))
    }
    return found
  }

  async #remote(url: Located): Promise<Found> {
    const name = loggedUrl(url.written)
    const meant = url.meant.reveal()
    if (!isUrl(meant)) throw new ConfigRefused(`Remote file \`${name}\` does not have a valid address!`)
    if (!/\.ya?ml$/.test(pathOf(meant))) throw new ConfigRefused(`Included file \`${name}\` does not have YAML extension!`)
    const text = await this.#sources.remote(url)
    if (text === undefined) throw new ConfigRefused(`Remote file \`${name}\` could not be fetched!`)
    return this.#checked({ name, text, place: { in: 'elsewhere' } })
  }

  /** It belongs to no project, like a file of another server. */
  async #template(file: Located): Promise<Found> {
    const name = named(file.written)
    const text = await this.#sources.template(file)
    if (text === undefined)
      throw new ConfigRefused(`Template file \`${name}\` is not found! No template of that name comes with this server.`)
    return this.#checked({ name, text, place: { in: 'elsewhere' } })
  }

  #checked(found: Found): Found {
    if (found.text.trim() === '') throw new ConfigRefused(`Included file \`${found.name}\` is empty!`)
    return found
  }

  #located(written: string): Located {
    return { written, meant: new Secret(withVariables(written, this.#lookup)) }
  }
}

const withoutSlash = ({ written, meant }: Located): Located => ({
  written: written.replace(/^\/+/, ''),
  meant: new Secret(meant.reveal().replace(/^\/+/, '')),
})

function requireYaml({ written, meant }: Located): void {
  if (!/\.ya?ml$/.test(meant.reveal())) throw new ConfigRefused(`Included file \`${written}\` does not have YAML extension!`)
}

/** An include as messages show it: addresses without parts that may be credentials. */
const named = (text: string): string => (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text) ? loggedUrl(text) : text)

const isUrl = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text)

const pathOf = (url: string): string => new URL(url).pathname
