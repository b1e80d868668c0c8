/**
 * Addresses that pages and clients make links of. They have a scheme that leads to a page or a file: a link with any other one (`javascript:`,
 * `data:`) would run in the browser of the user who follows it. And they have none of the characters that end an attribute of HTML, that
 * parsers of addresses drop or read as others, or that are not seen: what is shown, checked and followed is the same text.
 */
import Type, { type TString } from 'typebox'
import type { Options } from '../declaration/types.ts'

const MAX_LENGTH = 2_048

/** White space, control characters, what has no shape or turns the direction of writing, quotes, angle brackets and backslashes. */
const REFUSED = '\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"\'`<>\\\\'

const refused = new RegExp(`[${REFUSED}]`)

/** A scheme of the web, a host, and the rest. JSON Schema has no flags, so both cases are spelled out. */
const pattern = `[hH][tT][tT][pP][sS]?://[^/?#${REFUSED}][^${REFUSED}]*`

/** Has the text no character that an address in a link must not have? Of any scheme. */
export const hasLinkCharacters = (text: string): boolean => !refused.test(text)

/** The schemes of links unless a field says otherwise. */
const web: readonly string[] = ['http', 'https']

/** Why a text is no address for a link: its characters or form, or its scheme alone; undefined for one that is. */
export function linkProblem(text: string, schemes: readonly string[] = web): 'form' | 'scheme' | undefined {
  const [, scheme = '', rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? []
  if (!schemes.includes(scheme.toLowerCase())) return 'scheme'
  return text.length <= MAX_LENGTH && hasLinkCharacters(text) && /^\/\/[^/?#]/.test(rest ?? '') && URL.canParse(text) ? undefined : 'form'
}

/** Is this an http or https address with a host, which may become a link? */
export const isWebAddress = (text: string): boolean => linkProblem(text) === undefined

/**
 * Is it a text that the pattern of a parameter takes, and whose host no reader of addresses takes, as `http://[::1`? A pattern that knew all hosts would
 * be a page long.
 */
const isReadable = (text: unknown): boolean => typeof text !== 'string' || !/^https?:/i.test(text) || URL.canParse(text)

/** A text that must be readable where it begins like an address. */
const Readable = (options: Options & { readonly pattern: string; readonly message: string }) =>
  Type.Refine(Type.String(options), isReadable, () => options.message)

/** A parameter that is an http or https address; empty for none. */
export const WebAddress = (options: Options = {}): TString =>
  Readable({ maxLength: MAX_LENGTH, pattern: `^(${pattern})?$`, message: 'must be a valid http or https URL', ...options })

/** A parameter that is a name at another service, or the address of a page there: clients put it into links. */
export const NameElsewhere = (options: Options = {}): TString =>
  Readable({
    pattern: `^(${pattern}|[^:/${REFUSED}]([^:${REFUSED}]| )*)?$`,
    message: 'must be a name or a valid http or https URL',
    ...options,
  })
