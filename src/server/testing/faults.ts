/** Faults on demand: what the next answers of a path are, in place of what the endpoint would answer. */

/** How an answer fails. */
export interface Fault {
  /** Path without its query, in which `*` stands for one part and `**` for any number of them. */
  readonly path: string
  /** Of any method unless given. */
  readonly method?: string | undefined
  /** How many answers; one unless given. */
  readonly times: number
  /** The status of the answer. */
  readonly status?: number | undefined
  /** Seconds in its header `Retry-After`. */
  readonly retry_after?: number | undefined
  /** Milliseconds before the answer; it is the endpoint's own unless there is a status too. */
  readonly delay?: number | undefined
  /** The connection ends without an answer. */
  readonly cut?: boolean | undefined
}

interface Rule extends Fault {
  readonly pattern: RegExp
  left: number
}

/** The faults that are asked for, the oldest first. */
export class Faults {
  #rules: Rule[] = []

  add(fault: Fault): void {
    this.#rules.push({ ...fault, pattern: patternOf(fault.path), left: fault.times })
  }

  clear(): void {
    this.#rules = []
  }

  /** Those that have answers left. */
  get waiting(): readonly (Fault & { readonly left: number })[] {
    return this.#rules.map(({ pattern: _, ...rule }) => rule)
  }

  /** The fault of a request, which counts as used. */
  take(method: string, path: string): Fault | undefined {
    const rule = this.#rules.find(each => (each.method === undefined || each.method === method) && each.pattern.test(path))
    if (!rule) return undefined
    rule.left -= 1
    if (rule.left === 0) this.#rules = this.#rules.filter(other => other !== rule)
    return rule
  }
}

/** `/issues/*` as an expression for whole paths. */
function patternOf(path: string): RegExp {
  const parts = path
    .split(/(\*+)/)
    .map(part => (part === '*' ? '[^/]*' : part.startsWith('*') ? '.*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}$`)
}
