/** What every description has in common: the bodies of refusals, the headers of pages, the credentials. */
import type { CredentialName } from '../declaration/dialect.ts'

const refusal = (description: string, body: object) => ({ description, content: { 'application/json': { schema: body } } })

const messageBody = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }

/** Document 1 "Errors", decision 12: a text where a parameter is missing, words by parameter where values are wrong. */
const badRequestBody = {
  type: 'object',
  required: ['message'],
  properties: { message: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
}

/** A refusal for the scope of a token has three fields (document 1, Authentication rule 6). */
const forbiddenBody = {
  anyOf: [
    messageBody,
    {
      type: 'object',
      required: ['error', 'error_description', 'scope'],
      properties: { error: { const: 'insufficient_scope' }, error_description: { type: 'string' }, scope: { type: 'string' } },
    },
  ],
}

const header = (description: string, type: 'integer' | 'string') => ({ description, schema: { type } })

export const commonComponents = {
  responses: {
    BadRequest: refusal('Parameters are missing or wrong', badRequestBody),
    Unauthorized: refusal('Credentials are missing or wrong', messageBody),
    Forbidden: refusal('The caller may see this and not do it', forbiddenBody),
    NotFound: refusal('There is no such thing, as far as the caller may know', messageBody),
    TooManyRequests: {
      ...refusal('Too many requests', messageBody),
      headers: { 'Retry-After': header('Seconds to wait', 'integer') },
    },
  },
  headers: {
    Link: header('Addresses of the previous, next, first and last page', 'string'),
    'X-Page': header('Number of this page', 'integer'),
    'X-Per-Page': header('Rows on a full page', 'integer'),
    'X-Prev-Page': header('Number of the previous page, or empty', 'string'),
    'X-Next-Page': header('Number of the next page, or empty', 'string'),
    'X-Total': header('Rows in all; absent above 10,000', 'integer'),
    'X-Total-Pages': header('Pages in all; absent above 10,000 rows', 'integer'),
  },
}

/** The headers of a page, by reference. */
export const pageHeaders = Object.fromEntries(
  Object.keys(commonComponents.headers).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

export const securitySchemes: Readonly<Record<CredentialName, object>> = {
  private_token: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal, impersonation or project access token' },
  bearer: { type: 'http', scheme: 'bearer', description: 'Any access token, those of OAuth included' },
  job_token: { type: 'apiKey', in: 'header', name: 'JOB-TOKEN', description: 'The token of a running job' },
  session: { type: 'apiKey', in: 'cookie', name: '_service_session', description: 'A signed-in browser; writes need X-CSRF-Token too' },
  scim_token: { type: 'http', scheme: 'bearer', description: 'The SCIM token of the top-level group' },
  basic: { type: 'http', scheme: 'basic', description: 'A password or any token as the password' },
}
