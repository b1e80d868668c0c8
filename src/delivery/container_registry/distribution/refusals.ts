/** Refusals of the registry, with the codes of the OCI distribution specification. */
import { Refusal, type RefusalKind } from '../../../platform/kernel/errors.ts'

/** The codes of the specification, with the kind of refusal that each is. */
const kinds = {
  BLOB_UNKNOWN: 'not_found',
  BLOB_UPLOAD_INVALID: 'bad_request',
  BLOB_UPLOAD_UNKNOWN: 'not_found',
  DIGEST_INVALID: 'bad_request',
  MANIFEST_BLOB_UNKNOWN: 'bad_request',
  MANIFEST_INVALID: 'bad_request',
  MANIFEST_UNKNOWN: 'not_found',
  NAME_INVALID: 'bad_request',
  NAME_UNKNOWN: 'not_found',
  PAGINATION_NUMBER_INVALID: 'bad_request',
  RANGE_INVALID: 'range_not_satisfiable',
  SIZE_INVALID: 'bad_request',
  TAG_INVALID: 'bad_request',
  UNAUTHORIZED: 'unauthenticated',
  DENIED: 'forbidden',
  UNSUPPORTED: 'method_not_allowed',
  TOOMANYREQUESTS: 'too_many_requests',
  UNAVAILABLE: 'unavailable',
} as const satisfies Record<string, RefusalKind>

export type RegistryCode = keyof typeof kinds

/** A refusal with a code of its own. */
export class RegistryRefusal extends Refusal {
  readonly code: RegistryCode
  readonly detail: object | undefined

  constructor(code: RegistryCode, message: string, detail?: object, kind: RefusalKind = kinds[code], headers: Record<string, string> = {}) {
    super(kind, { message }, headers)
    this.code = code
    this.detail = detail
  }
}

/** 404 for a manifest that a repository does not have. */
export const unknownManifest = (reference: string) => new RegistryRefusal('MANIFEST_UNKNOWN', 'manifest unknown', { reference })

/** The codes of refusals that have none of their own. */
const codes: { readonly [kind in RefusalKind]?: RegistryCode } = {
  bad_request: 'UNSUPPORTED',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'DENIED',
  not_found: 'NAME_UNKNOWN',
  method_not_allowed: 'UNSUPPORTED',
  too_large: 'SIZE_INVALID',
  range_not_satisfiable: 'RANGE_INVALID',
  too_many_requests: 'TOOMANYREQUESTS',
  unavailable: 'UNAVAILABLE',
  insufficient_storage: 'UNAVAILABLE',
}

/** The code of a refusal. */
export const codeOf = (refusal: Refusal): RegistryCode =>
  refusal instanceof RegistryRefusal ? refusal.code : (codes[refusal.kind] ?? 'UNSUPPORTED')
