/** Certificates of domains: whether they can be served, and what the API says of them. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { Secret } from '../../../platform/secret.ts'

/** Bytes of a certificate with its intermediates, and of a key. */
const LIMITS = { certificate: 64 * 1024, key: 8192 }

/** The first certificate of a text in PEM; undefined where there is none. */
function readCertificate(pem: string): X509Certificate | undefined {
  if (pem.length > LIMITS.certificate || !pem.includes('-----BEGIN CERTIFICATE-----')) return undefined
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/** What is wrong with a certificate and its key, by field, in the words of the platform. Both or neither are given. */
export function faultsOf(certificate: string | null, key: Secret | null): Record<string, string[]> {
  if (certificate === null && key === null) return {}
  if (certificate === null) return { certificate: ["can't be blank"] }
  const read = readCertificate(certificate)
  const faults: Record<string, string[]> = read ? {} : { certificate: ['must be a valid PEM certificate'] }
  if (key === null) return { ...faults, key: ["can't be blank"] }
  const text = key.reveal()
  if (Buffer.byteLength(text) > LIMITS.key) return { ...faults, key: [`Certificate Key is too long. (Max ${LIMITS.key} bytes)`] }
  const keyObject = readKey(text)
  if (!keyObject) return { ...faults, key: ['must be a valid PEM private key'] }
  if (read && !read.checkPrivateKey(keyObject)) return { ...faults, key: ["doesn't match the certificate"] }
  return faults
}

/** The subject or issuer on one line: `/O=Example/CN=www.example.com`. */
const nameLine = (name: string): string => `/${name.split('\n').join('/')}`

/** What the API shows of a certificate. */
export interface CertificateFacts {
  readonly subject: string
  readonly expiration: string
  readonly text: string
}

/** The facts of a stored certificate. */
export function certificateFacts(pem: string): CertificateFacts {
  const read = new X509Certificate(pem)
  return { subject: nameLine(read.subject), expiration: read.validToDate.toISOString(), text: textOf(read) }
}

/** A certificate in words, in the form of the tools that print them. */
function textOf(read: X509Certificate): string {
  const { asymmetricKeyType = 'unknown', asymmetricKeyDetails: { modulusLength, namedCurve } = {} } = read.publicKey
  const strength = [namedCurve, modulusLength && `${modulusLength} bit`].filter(Boolean).join(', ')
  const serial = (read.serialNumber.match(/../g) ?? []).join(':').toLowerCase()
  return [
    'Certificate:',
    '    Data:',
    '        Serial Number:',
    `            ${serial}`,
    `        Issuer: ${read.issuer.split('\n').join(', ')}`,
    '        Validity',
    `            Not Before: ${read.validFrom}`,
    `            Not After : ${read.validTo}`,
    `        Subject: ${read.subject.split('\n').join(', ')}`,
    '        Subject Public Key Info:',
    `            Public Key Algorithm: ${asymmetricKeyType}${strength && ` (${strength})`}`,
    ...(read.subjectAltName ? ['        X509v3 Subject Alternative Name:', `            ${read.subjectAltName}`] : []),
    `    SHA-256 Fingerprint: ${read.fingerprint256}`,
    '',
  ].join('\n')
}

/** A key as it came, or none for an empty text. */
export const givenKey = (text: string): Secret | null => (text.trim() === '' ? null : new Secret(text))
