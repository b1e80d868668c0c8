/** Where a bucket is, as the setting `INGOT_OBJECT_STORE` says it. */
import { Secret } from '../../secret.ts'

export interface S3Address {
  /** Of the service: `https://s3.example.com:9000`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Before every key; empty, or with a slash at its end. */
  readonly prefix: string
  /** Undefined: as the tools of Amazon find them (environment, `~/.aws`, the role of the machine). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: Secret } | undefined
  /** The bucket stands in the path of addresses, not in the name of the host. */
  readonly pathStyle: boolean
}

/**
 * Reads `s3://key:secret@host:port/bucket?region=eu-central-1&prefix=ingot&tls=false&path_style=false`; `undefined` for
 * a text that has another form. Key and secret are percent-encoded and may be left out; `region` is `us-east-1`, `tls`
 * and `path_style` are true unless given.
 */
export function parseS3Address(text: string): S3Address | undefined {
  const url = URL.parse(text)
  const bucket = url?.pathname.slice(1) ?? ''
  if (url?.protocol !== 's3:' || url.hash !== '' || !/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(bucket)) return undefined
  const given = Object.fromEntries(url.searchParams)
  const { region = 'us-east-1', prefix = '', tls = 'true', path_style = 'true', ...unknown } = given
  const prefixes = prefix.split('/').filter(part => part !== '')
  if (Object.keys(unknown).length > 0 || ![tls, path_style].every(flag => flag === 'true' || flag === 'false')) return undefined
  if (url.host === '' || region === '' || (url.username === '') !== (url.password === '')) return undefined
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)]
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return {
    endpoint: `${tls === 'true' ? 'https' : 'http'}://${url.host}`,
    region,
    bucket,
    prefix: prefixes.map(part => `${part}/`).join(''),
    credentials: url.username === '' ? undefined : { accessKeyId, secretAccessKey: new Secret(secretAccessKey) },
    pathStyle: path_style === 'true',
  }
}

/** An object of a bucket. The prefix is part of its key. */
export interface S3Object extends Omit<S3Address, 'prefix'> {
  readonly key: string
}

/**
 * Reads `s3://key:secret@host:port/bucket/name/of/the.object?region=eu-central-1`, with the parameters of `parseS3Address` but `prefix`;
 * `undefined` for a text that has another form.
 */
export function parseS3Object(text: string): S3Object | undefined {
  const url = URL.parse(text)
  const [, bucket = '', name = ''] = /^\/([^/]+)\/(.+[^/])$/.exec(url?.pathname ?? '') ?? []
  const key = decoded(name)
  if (!url || !key || url.searchParams.has('prefix')) return undefined
  url.pathname = `/${bucket}`
  const { prefix: _, ...address } = parseS3Address(url.href) ?? {}
  return 'bucket' in address ? { ...(address as Omit<S3Address, 'prefix'>), key } : undefined
}

/**
 * Reads `s3://key:secret@host:port/bucket/a/folder`, with or without a slash at its end, or a bucket alone, with the parameters of
 * `parseS3Object`; `undefined` for a text that has another form.
 */
export function parseS3Folder(text: string): S3Address | undefined {
  const url = URL.parse(text)
  const [, bucket = '', name = ''] = /^\/([^/]+)\/?(.*)$/s.exec(url?.pathname ?? '') ?? []
  const folder = decoded(name)
  if (!url || folder === undefined || url.searchParams.has('prefix')) return undefined
  url.pathname = `/${bucket}`
  const address = parseS3Address(url.href)
  return address && { ...address, prefix: folder === '' || folder.endsWith('/') ? folder : `${folder}/` }
}

/** A text without percent-encoding; undefined where that is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
