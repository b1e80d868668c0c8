/** What every description has in common: the answer of a server that failed, the headers of pages, the credentials. */
import type { CredentialName } from '../declaration/dialect.ts'

const header = (description: string, type: 'integer' | 'string') => ({ description, schema: { type } })

/** What any address may answer: the server failed (500), is not available (503), has no room (507), or could not read the request (400, 408, 414, 431). */
export const failure = {
  description:
    'The request could not be read (400, 408, 414, 431), or the server failed (500), is not available (503) or has no room on its disk (507)',
  headers: { 'Retry-After': header('With 503: seconds to wait', 'integer') },
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message'],
        properties: {
          message: { type: 'string', description: 'What is wrong, for a person' },
          request_id: { type: 'string', description: 'Of a failure: the id of the request in the log of the server' },
        },
      },
    },
  },
}

export const commonComponents = {
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
  basic_token: { type: 'http', scheme: 'basic', description: 'The token of a user, a job or a deploy token as the password' },
}
