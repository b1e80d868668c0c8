/** Valid keys, values and scopes of variables (document 2 "Instance-level variable"; CI/CD variables API at 14.0). Pure. */
import type { Failures } from '../../platform/kernel/errors.ts'

/** Maximum characters of a key, of a scope, and of a value. */
export const MAX_KEY = 255
export const MAX_VALUE = 10_000

export const KEY = '^[A-Za-z0-9_]+$'
export const KEY_RULE = "can contain only letters, digits and '_'."

export const SCOPE = '^[A-Za-z0-9_/{}$. *-]+$'
export const SCOPE_RULE = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"

/** Text that masking can find in a log: one line of at least eight characters that no encoding changes. */
const MASKABLE = /^[A-Za-z0-9_+=/@:.~-]{8,}$/
/** The value of a raw variable may have any characters but white space. */
const MASKABLE_RAW = /^\S{8,}$/

/** The errors of a variable as a whole. */
export function wrongWith({
  value,
  masked,
  raw,
}: {
  readonly value: string
  readonly masked: boolean
  readonly raw: boolean
}): Failures | undefined {
  return masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value) ? { value: ['is invalid'] } : undefined
}

/** What a value must be to be masked, in words. */
const MASKABLE_WORDS = 'one line of at least 8 characters without spaces; unless it is raw, of letters, digits and _ + = / @ : . ~ - alone'

/** The rule for the value of a masked variable, in words. */
export const MASK_RULE = `A masked value is ${MASKABLE_WORDS}.`

/** What is wrong with a value that cannot be masked, after its label. */
export const NOT_MASKABLE = `cannot be masked, unless it is ${MASKABLE_WORDS}`
