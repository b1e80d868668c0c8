/** The services that the settings name: mail, sign-in providers, and the address by which clients come. */
import type { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { describePlaces } from '../../identity/places/places.ts'
import { providersOf } from '../../identity/providers/file.ts'
import { mailboxClient } from '../../integrations/incoming_mail/mailbox/mailbox.ts'
import type { Config } from '../../platform/config.ts'
import { isHere, mailSender, transportTo } from '../../platform/mail/send.ts'
import { destinationOf } from '../../platform/outbound/addresses.ts'
import { exchange } from '../../platform/outbound/exchange.ts'
import { assertLinksLeadHere } from '../setup/before_start.ts'
import { type Finding, looked, ok, warning, wrong } from './finding.ts'

/** What the settings say of one another, and the files that they name. */
export async function checkSettings(config: Config): Promise<Finding[]> {
  const settings = await looked('Settings', 'Change the setting that is named', () => {
    assertLinksLeadHere(config)
    if (config.externalUrl?.startsWith('https:') && config.trustedProxies.length === 0)
      return warning(
        'INGOT_EXTERNAL_URL is https and INGOT_TRUSTED_PROXIES is empty: all clients seem to come from the proxy, and to come without TLS',
        'Set INGOT_TRUSTED_PROXIES to the address of the proxy',
      )
    if (config.mistyped.length > 0) return warning(config.mistyped.join(' '), 'Correct the name of the variable')
    return ok('they fit together')
  })
  const files = [
    ['Breached passwords', 'INGOT_BREACHED_PASSWORDS_FILE', config.breachedPasswordsFile],
    ['SSH authorities', 'INGOT_SSH_USER_CA_FILE', config.sshUserCaFile],
    ['Revoked SSH certificates', 'INGOT_SSH_REVOKED_FILE', config.sshRevokedFile],
  ] as const
  const findings = [settings]
  for (const [title, setting, file] of files)
    if (file !== undefined)
      findings.push(
        await looked(title, `Check ${setting}`, async () => {
          await access(file, constants.R_OK)
          return ok(file)
        }),
      )
  const { placesFile } = config
  if (placesFile !== undefined)
    findings.push(
      await looked('Places of addresses', 'Set INGOT_PLACES_FILE to a file in the form of MaxMind’s databases (.mmdb)', async () => {
        const { type, madeAt } = await describePlaces(placesFile)
        const says = `${placesFile}: ${type}, of ${madeAt.toISOString().slice(0, 10)}`
        return Date.now() - madeAt.getTime() < 365 * DAY ? ok(says) : warning(says, 'Replace the file by a later one: addresses move')
      }),
    )
  return findings
}

/** The mail server: connected to and signed in, and given no mail. */
export async function checkMail(config: Config): Promise<Finding[]> {
  const { smtpUrl, imapUrl } = config
  const outgoing = smtpUrl && [
    await looked('Mail (SMTP)', 'Check INGOT_SMTP_URL: host, port, user and password', async () => {
      const at = `${smtpUrl.host}:${smtpUrl.port}`
      const login = smtpUrl.credentials ? ', signed in' : ', without a login'
      const verify = async (requireTLS: boolean) => {
        const transport = transportTo(smtpUrl, mailSender(config), { requireTLS })
        await transport.verify().finally(() => transport.close())
      }
      if (smtpUrl.isSecure) return verify(false).then(() => ok(`${at} answers by TLS${login}`))
      try {
        await verify(true)
        return ok(`${at} answers by STARTTLS${login}`)
      } catch (error) {
        // Where a password is sent over a network, there is no way without TLS.
        if ((error as { code?: string }).code !== 'ETLS' || smtpUrl.requiresTls || (smtpUrl.credentials && !isHere(smtpUrl.host)))
          throw error
        await verify(false)
        return isHere(smtpUrl.host)
          ? ok(`${at} on this machine answers${login}`)
          : warning(
              `${at} has no STARTTLS: mails go in the clear`,
              'Use a server with STARTTLS, and end INGOT_SMTP_URL with ?starttls=required; or smtps://',
            )
      }
    }),
  ]
  const incoming = imapUrl && [
    await looked('Mail (IMAP)', 'Check INGOT_IMAP_URL: host, port, user, password and folder', async () => {
      const client = await mailboxClient(imapUrl)
      // Without a listener a broken connection would end the program; `connect` tells of it.
      client.on('error', () => {})
      try {
        await client.connect()
        const { exists } = await client.mailboxOpen(imapUrl.folder, { readOnly: true })
        return ok(`${imapUrl.host}:${imapUrl.port} opens ${imapUrl.folder} with ${exists} mails`)
      } finally {
        client.close()
      }
    }),
  ]
  return [...(outgoing ?? []), ...(incoming ?? [])]
}

/** The sign-in providers of the file. */
export const checkProviders = (config: Config, now: () => Date): Promise<Finding[]> =>
  Promise.all(
    providersOf(config).map(provider =>
      looked(`Sign-in (${provider.name})`, 'Check its settings in INGOT_PROVIDERS_FILE, and whether this machine reaches it', async () => {
        const { says, worry } = await provider.kind.check({ config, now }, provider)
        return worry === undefined ? ok(says) : warning(`${says}; ${worry}`, 'Put the new one into INGOT_PROVIDERS_FILE in time')
      }),
    ),
  )

const DAY = 24 * 60 * 60 * 1000
/** Days before its end at which a certificate that is renewed by itself would have been. */
const RENEWED_BEFORE = 14
/** Milliseconds for the address of this server to answer. */
const PATIENCE = 10_000

/** The address that clients use, asked from here, and its certificate. */
export async function checkExternalUrl({ externalUrl }: Config, now: () => Date): Promise<Finding[]> {
  if (externalUrl === undefined) return []
  const url = new URL(externalUrl)
  const address = await looked('External URL', 'Check INGOT_EXTERNAL_URL, the name server and the proxy', async () => {
    // It is the administrator's own address: all are allowed.
    const destination = await destinationOf(url, ['0.0.0.0/0', '::/0'])
    const request = { headers: {}, body: undefined, verify: true, timeout: PATIENCE, limit: 1024 }
    const { status, body } = await exchange(new URL('/-/health', url), destination, request)
    if (status === 200 && body === 'Ingot OK') return ok(`${externalUrl} leads here`)
    return [502, 503, 504].includes(status)
      ? warning(`${externalUrl} answers ${status}: a proxy is there and no Ingot behind it`, 'Start Ingot, and ask again')
      : wrong(`${externalUrl} answers ${status}, and not as Ingot does`, 'Let the proxy pass all paths to Ingot')
  })
  if (url.protocol !== 'https:') return [address]
  const certificate = await looked('TLS certificate', 'Check the proxy', async () => {
    const { found, problem } = await certificateOf(url)
    const days = Math.floor((Date.parse(found.validTo) - now().getTime()) / DAY)
    const says = `of ${url.hostname}, valid until ${new Date(found.validTo).toISOString().slice(0, 10)}`
    if (days < 0) return wrong(says, 'Renew it')
    if (Date.parse(found.validFrom) > now().getTime()) return wrong(`${says}, and not yet`, 'Check the clock of this machine')
    if (problem !== undefined) return warning(`${says}; ${problem}`, 'Use one from an authority that clients know, or give them yours')
    return days < RENEWED_BEFORE ? warning(says, 'Renew it: it ends soon') : ok(says)
  })
  return [address, certificate]
}

/** The certificate of an address, whether or not it can be trusted, and why not. */
async function certificateOf({ hostname, port }: URL): Promise<{ readonly found: X509Certificate; readonly problem: string | undefined }> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
  })
  socket.once('secureConnect', resolve).once('error', reject)
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`no answer within ${PATIENCE / 1000} seconds`)))
  try {
    await promise
    const found = socket.getPeerX509Certificate()
    if (!found) throw new Error('it shows no certificate')
    return { found, problem: socket.authorized ? undefined : String(socket.authorizationError) }
  } finally {
    socket.destroy()
  }
}
