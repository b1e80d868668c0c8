/** Refusals in the form of RFC 7644 section 3.12. */
import Type from 'typebox'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { MissingParameter, Refusal, type RefusalKind } from '../../../platform/kernel/errors.ts'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The error types for programs (RFC 7644 table 9); those that occur here. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'uniqueness'

/** The body of a refusal or failure, for the API description. */
export const errorSchema = Type.Object({
  schemas: Type.Array(Type.Literal(ERROR_SCHEMA), { description: 'What this is, in the words of SCIM' }),
  status: text('The HTTP status'),
  scimType: optional(text('The error type for programs; absent where none fits')),
  detail: text('What is wrong, for a person'),
})

/** The body of a refusal or failure. */
export const errorBody = (status: number, detail: string, scimType?: ScimType) => ({
  schemas: [ERROR_SCHEMA],
  // Contract: the status is a text here (RFC 7644 section 3.12).
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail,
})

/** A refusal with a SCIM error type. */
class ScimRefusal extends Refusal {
  readonly scimType: ScimType

  constructor(kind: RefusalKind, scimType: ScimType, detail: string) {
    super(kind, { message: detail })
    this.scimType = scimType
  }
}

/** 400: the request is invalid. */
export const refused = (scimType: ScimType, detail: string): Refusal => new ScimRefusal('bad_request', scimType, detail)

/** 409: another user has a value that must be unique. */
export const taken = (detail: string): Refusal => new ScimRefusal('conflict', 'uniqueness', detail)

/** The error type of a refusal, including those of the kernel and of commands. */
function scimTypeOf(refusal: Refusal): ScimType | undefined {
  if (refusal instanceof ScimRefusal) return refusal.scimType
  if (refusal.kind === 'conflict') return 'uniqueness'
  if (refusal.kind !== 'bad_request') return undefined
  return refusal instanceof MissingParameter || typeof messageOf(refusal) === 'object' ? 'invalidValue' : 'invalidSyntax'
}

const messageOf = ({ body }: Refusal): unknown => (body as { message?: unknown } | undefined)?.message

/** Any refusal in the form of SCIM. */
export function inScimWords(refusal: Refusal): object {
  const message = messageOf(refusal)
  const detail = refusal instanceof MissingParameter ? `${refusal.parameter} is missing` : inOneText(message ?? refusal.kind)
  return errorBody(refusal.status, detail, scimTypeOf(refusal))
}

/** `{userName: ['is too long']}` as `userName is too long`. */
function inOneText(message: unknown): string {
  if (typeof message !== 'object' || message === null) return String(message)
  return Object.entries(message)
    .map(([name, words]) => `${name} ${Array.isArray(words) ? words.join(', ') : inOneText(words)}`)
    .join('; ')
}
