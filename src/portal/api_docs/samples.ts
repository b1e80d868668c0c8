/**
 * A request as it is written for curl, for Gitbeaker (JavaScript) and for python-gitlab (Python). The two libraries have methods of their own for much of
 * the API; what is shown is the general request of each, which reaches every endpoint.
 */
import type { Operation } from './chapters.ts'
import type { Param } from './fields.ts'

export interface Sample {
  readonly label: string
  readonly language: string
  readonly code: string
}

/** What a sample sends. */
interface Sent {
  readonly method: string
  /** With the ids in it, from the root. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** Names of parameters that are files. */
  readonly files: readonly string[]
}

/** A value that fits a parameter, for what has no example. */
function exampleValueOf({ example, values, type, standard, name }: Param): unknown {
  if (example !== undefined) return example
  if (values.length > 0) return values[0]
  if (standard !== undefined) return standard
  if (/integer|number/.test(type)) return 1
  if (type === 'boolean') return true
  if (type === 'date') return '2030-01-31'
  if (type === 'date and time') return '2030-01-31T12:00:00Z'
  return name
}

/** What one sends at least; of a list, a parameter that can be left out as well, to show where it belongs. */
function sentOf({ endpoint, address, params }: Operation, ids: Readonly<Record<string, string | number>>): Sent {
  const isFile = ({ type }: Param) => /file/.test(type)
  const path = address.replaceAll(/[:*]([A-Za-z_]\w*)/g, (whole, name: string) => {
    const param = params.find(other => other.in === 'path' && other.name === name)
    const value = String(ids[name] ?? (param ? exampleValueOf(param) : name))
    // What is behind a star has its slashes as they are.
    return whole.startsWith('*') ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  const required = params.filter(param => param.required && param.in !== 'path' && !param.name.includes('['))
  const shown = required.length > 0 ? required : params.filter(({ in: where, name }) => where === 'query' && name === 'per_page')
  const valuesIn = (where: Param['in']) =>
    Object.fromEntries(
      shown.filter(param => param.in === where && !isFile(param)).map(param => [param.name, listed(param, exampleValueOf(param))] as const),
    )
  const writes = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
  const oneOfMany =
    writes && required.length === 0 ? params.find(param => param.in === 'body' && !isFile(param) && /string/.test(param.type)) : undefined
  return {
    method: endpoint.method,
    path,
    query: valuesIn('query'),
    body: { ...valuesIn('body'), ...(oneOfMany && { [oneOfMany.name]: exampleValueOf(oneOfMany) }) },
    files: shown.filter(isFile).map(({ name }) => name),
  }
}

/** A value of a list of values stands in one. */
const listed = ({ type }: Param, value: unknown): unknown => (type.startsWith('list') && typeof value !== 'string' ? [value].flat() : value)

/** Quoted for a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const queryOf = (query: Sent['query']): string => {
  const text = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map(one => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`))
    .join('&')
  return text === '' ? '' : `?${text}`
}

/** How the credential of a dialect is sent, for curl. */
function credentialOf({ endpoint }: Operation): string[] {
  const { credentials = [] } = endpoint.dialect
  if (credentials.includes('private_token')) return [`--header "PRIVATE-TOKEN: $TOKEN"`]
  if (credentials.includes('basic')) return [`--user "me:$TOKEN"`]
  return credentials.length > 0 ? [`--header "Authorization: Bearer $TOKEN"`] : []
}

function curl(operation: Operation, sent: Sent, origin: string): Sample {
  const { mediaType } = operation.endpoint.dialect
  const hasBody = Object.keys(sent.body).length > 0
  const lines = [
    ...(sent.method === 'GET' ? [] : [`--request ${sent.method}`]),
    ...credentialOf(operation),
    ...(sent.files.length > 0
      ? [
          ...sent.files.map(name => `--form ${shell(`${name.replace(/\[\]$/, '')}=@file.bin`)}`),
          ...Object.entries(sent.body).map(([name, value]) => `--form ${shell(`${name}=${value}`)}`),
        ]
      : hasBody
        ? [
            `--header ${shell(`Content-Type: ${mediaType.endsWith('+json') ? mediaType : 'application/json'}`)}`,
            `--data ${shell(JSON.stringify(sent.body))}`,
          ]
        : operation.endpoint.rawBody
          ? ['--data-binary @file.bin']
          : []),
    shell(`${origin}${sent.path}${queryOf(sent.query)}`),
  ]
  return { label: 'curl', language: 'shell', code: `curl ${lines.join(' \\\n  ')}` }
}

/** `{ 'a': 1 }` as JavaScript writes it. */
const javascript = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/"([A-Za-z_]\w*)": /g, '$1: ')

/** The same in Python. */
const python = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None')

const REST = '/api/v4/'

function gitbeaker(sent: Sent, origin: string): Sample {
  const { query, body, files } = sent
  const form = files.length > 0
  const options = [
    ...(Object.keys(query).length > 0 ? [`searchParams: ${javascript(withoutBrackets(query))}`] : []),
    ...(form ? ['body: form'] : Object.keys(body).length > 0 ? [`body: ${javascript(body)}`] : []),
  ]
  const lines = [
    ...(form ? [`import { openAsBlob } from 'node:fs'`] : []),
    `import { Gitlab } from '@gitbeaker/rest'`,
    '',
    `const { requester } = new Gitlab({ host: '${origin}', token: process.env.TOKEN }).Projects`,
    ...(form
      ? [
          'const form = new FormData()',
          ...files.map(name => `form.set('${name}', await openAsBlob('file.bin'), 'file.bin')`),
          ...Object.entries(body).map(([name, value]) => `form.set('${name}', ${JSON.stringify(String(value))})`),
        ]
      : []),
    `const { body } = await requester.${sent.method.toLowerCase()}('${sent.path.slice(REST.length)}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`,
    'console.log(body)',
  ]
  return { label: 'JavaScript (Gitbeaker)', language: 'javascript', code: lines.join('\n') }
}

/** Both libraries are given the names of lists as they are, and write the brackets. */
const withoutBrackets = (query: Sent['query']): Sent['query'] =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name.replace(/\[\]$/, ''), value]))

function pythonGitlab(operation: Operation, sent: Sent, origin: string): Sample {
  const { method, query, body, files } = sent
  const isList = operation.successes.some(success => success.isList)
  const call = method === 'GET' && isList ? 'http_list' : `http_${method.toLowerCase()}`
  const given = [
    `'/${sent.path.slice(REST.length)}'`,
    ...(Object.keys(query).length > 0 ? [`query_data=${python(query)}`] : []),
    ...(Object.keys(body).length > 0 ? [`post_data=${python(body)}`] : []),
    ...(files.length > 0 ? [`files={${files.map(name => `'${name}': ('file.bin', open('file.bin', 'rb'))`).join(', ')}}`] : []),
  ]
  const code = [
    'import os',
    'import gitlab',
    '',
    `gl = gitlab.Gitlab('${origin}', private_token=os.environ['TOKEN'])`,
    `print(gl.${call}(${given.join(', ')}))`,
  ]
  return { label: 'Python (python-gitlab)', language: 'python', code: code.join('\n') }
}

/**
 * The samples of an endpoint. The libraries speak the REST API alone, and send no bodies without form.
 * @param ids the ids of the path
 * @param origin the server's address, without a slash at its end
 */
export function samplesOf(operation: Operation, ids: Readonly<Record<string, string | number>>, origin: string): readonly Sample[] {
  const sent = sentOf(operation, ids)
  const isRest = sent.path.startsWith(REST) && operation.endpoint.dialect.name === 'rest' && !operation.endpoint.rawBody
  return [curl(operation, sent, origin), ...(isRest ? [gitbeaker(sent, origin), pythonGitlab(operation, sent, origin)] : [])]
}
