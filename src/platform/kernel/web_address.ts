/**
 * Addresses that pages and clients turn into links. Only http and https are allowed: a link with another scheme (`javascript:`, `data:`)
 * would run in the browser of the user who follows it.
 */
import Type, { type TString } from 'typebox'
import type { Options } from './types.ts'

const MAX_LENGTH = 2_048

/** A web scheme, a host, and no white space or control characters. JSON Schema has no flags, so both cases are spelled out. */
const pattern = '[hH][tT][tT][pP][sS]?://[^\\s/?#\\u0000-\\u001f\\u007f][^\\s\\u0000-\\u001f\\u007f]*'

const whole = new RegExp(`^${pattern}$`)

/** Is this an http or https address with a host? */
export const isWebAddress = (text: string): boolean => text.length <= MAX_LENGTH && whole.test(text) && URL.canParse(text)

/** A parameter that is an http or https address; empty for none. */
export const WebAddress = (options: Options = {}): TString =>
  Type.String({ maxLength: MAX_LENGTH, pattern: `^(${pattern})?$`, message: 'must be a valid http or https URL', ...options })

/** A parameter that is a name at another service, or the address of a page there: clients turn it into links. */
export const NameElsewhere = (options: Options = {}): TString =>
  Type.String({ pattern: `^(${pattern}|[^:/\\s][^:]*)?$`, message: 'must be a name or a valid http or https URL', ...options })
