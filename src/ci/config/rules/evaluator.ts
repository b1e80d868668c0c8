/**
 * Finds the first rule that applies. Loads changed paths and file lists at most once, and only if a rule needs them. Texts that regular expressions
 * are looked for in may be long, as the message of a commit: no search holds the process, and all of them together have a time.
 */
import type { RE2JS } from 're2js'
import { breather } from '../../../platform/kernel/answer/time_slicing.ts'
import { PatternTooCostly } from '../../../platform/patterns/patterns.ts'
import { PatternSearch } from '../../../platform/patterns/search.ts'
import type { Policy, Rule } from '../keys/config.ts'
import { limits } from '../limits.ts'
import type { PlanSubject } from '../plan.ts'
import { ConfigRefused } from '../reading/values.ts'
import { type Expression, holds, type Lookup, withVariables } from './expression.ts'
import { compileGlob, isGlob } from './globs.ts'
import { isPattern, looksLikePattern, patternOf } from './patterns.ts'

export type JudgedSubject = Pick<PlanSubject, 'source' | 'ref' | 'ref_type' | 'project_path' | 'changedPaths' | 'files' | 'hasCluster'>

export class RuleEvaluator {
  readonly #subject: JudgedSubject
  readonly #files: () => Promise<ReadonlySet<string>>
  readonly #changed: () => Promise<ReadonlySet<string> | undefined>
  readonly #hasCluster: () => Promise<boolean>
  #comparisons: number = limits.comparisons
  readonly #pause = breather()
  readonly #search = new PatternSearch()
  /** Results of patterns, by pattern: jobs often share theirs. */
  readonly #known = { files: new Map<string, boolean>(), changed: new Map<string, boolean>() }

  constructor(subject: JudgedSubject) {
    this.#subject = subject
    this.#files = once(async () => new Set(await subject.files()))
    this.#changed = once(async () => {
      const paths = await subject.changedPaths()
      return paths && new Set(paths)
    })
    this.#hasCluster = once(() => subject.hasCluster())
  }

  /** The first rule that applies. @throws ConfigRefused where its regular expressions take too long */
  async firstOf(rules: readonly Rule[], lookup: Lookup): Promise<Rule | undefined> {
    for (const rule of rules) {
      await this.#pause()
      if (await this.#applies(rule, lookup)) return rule
    }
    return undefined
  }

  /** Ends what its searches have started. */
  close(): void {
    this.#search.close()
  }

  readonly #find = async (pattern: RE2JS, text: string): Promise<boolean> => {
    try {
      return await this.#search.isFound(pattern, text)
    } catch (error) {
      throw error instanceof PatternTooCostly ? new ConfigRefused('The regular expressions of the configuration take too long') : error
    }
  }

  async #applies({ if: condition, changes, exists }: Rule, lookup: Lookup): Promise<boolean> {
    if (condition && !(await holds(condition, lookup, this.#find))) return false
    if (changes && !(await this.#anyChanged(changes, lookup))) return false
    return !exists || (await this.#anyFile(exists, lookup))
  }

  /** Do `only` and `except` keep the job? All of `only` must hold, and nothing of `except`. The one that keeps it out, if one does. */
  async excludedBy(
    { only, except }: { readonly only: Policy | undefined; readonly except: Policy | undefined },
    lookup: Lookup,
  ): Promise<'only' | 'except' | undefined> {
    if (only && !(await this.#conditions(only, lookup)).every(Boolean)) return 'only'
    return except && (await this.#conditions(except, lookup)).some(Boolean) ? 'except' : undefined
  }

  async #conditions({ refs, variables, changes, kubernetes }: Policy, lookup: Lookup): Promise<boolean[]> {
    return [
      ...(refs ? [await anyOf(refs, ref => this.#isRef(ref))] : []),
      ...(variables ? [await anyOf(variables, (expression: Expression) => holds(expression, lookup, this.#find))] : []),
      ...(changes ? [await this.#anyChanged(changes, lookup)] : []),
      ...(kubernetes ? [await this.#hasCluster()] : []),
    ]
  }

  /** `branches`, `pushes`, `main`, `/^v/`, each with `@group/project` behind it for that project alone. */
  async #isRef(written: string): Promise<boolean> {
    const { source, ref, ref_type, project_path } = this.#subject
    const { name, path } = splitPath(written)
    if (path !== undefined && path !== project_path) return false
    if (name === 'tags') return ref_type === 'tag'
    if (name === 'branches') return ref_type === 'branch'
    const kind = source.replace(/_event$/, '')
    if (name === kind || name === pluralOf(kind)) return true
    // Contract: names of references are about branches and tags, never about merge requests (public behaviour).
    if (ref_type === 'merge_request') return false
    if (!looksLikePattern(name)) return name === ref
    const pattern = patternOf(name)
    return pattern !== undefined && this.#find(pattern, ref)
  }

  /** If there is nothing to compare with, everything counts as changed. */
  async #anyChanged(patterns: readonly string[], lookup: Lookup): Promise<boolean> {
    const paths = await this.#changed()
    return paths === undefined || this.#anyOf(patterns, lookup, paths, this.#known.changed)
  }

  async #anyFile(patterns: readonly string[], lookup: Lookup): Promise<boolean> {
    return this.#anyOf(patterns, lookup, await this.#files(), this.#known.files)
  }

  #anyOf(patterns: readonly string[], lookup: Lookup, paths: ReadonlySet<string>, known: Map<string, boolean>): boolean {
    return patterns.some(written => {
      const pattern = withVariables(written, lookup)
      const before = known.get(pattern)
      if (before !== undefined) return before
      const found = isGlob(pattern) ? this.#anyMatching(pattern, paths) : paths.has(pattern.replace(/^\.?\//, ''))
      known.set(pattern, found)
      return found
    })
  }

  // Contract: a pattern that would need too many comparisons counts as a match (public behaviour, which gives up earlier).
  #anyMatching(pattern: string, paths: ReadonlySet<string>): boolean {
    if (paths.size > this.#comparisons) return true
    this.#comparisons -= paths.size
    return paths.values().some(compileGlob(pattern))
  }
}

/** Does one of them hold? Asked one after the other, and no further than the first. */
async function anyOf<T>(all: readonly T[], holdsFor: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of all) if (await holdsFor(one)) return true
  return false
}

const pluralOf = (noun: string): string => (noun.endsWith('sh') ? `${noun}es` : `${noun}s`)

/** The parts before and after the `@` of a reference; an `@` inside a regular expression belongs to it. */
function splitPath(written: string): { readonly name: string; readonly path?: string } {
  const at = written.lastIndexOf('@')
  if (at <= 0 || (written.startsWith('/') && isPattern(written))) return { name: written }
  return { name: written.slice(0, at), path: written.slice(at + 1) }
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
