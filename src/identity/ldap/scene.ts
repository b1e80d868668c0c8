/** A directory for tests: the real `slapd` of OpenLDAP on ports of its own, which ends with the file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Attribute, Change, Client, DN } from 'ldapts'
import { atEnd } from '../../../test/at_end.ts'
import { certificate, authority as directoryCa, key } from '../../../test/certificates.ts'
import { eventually } from '../../../test/eventually.ts'
import { testFolder } from '../../../test/folder.ts'

const schemas = '/etc/ldap/schema'
const program = '/usr/sbin/slapd'

/** Below this everything stands. */
export const base = 'dc=example,dc=com'
const people = `ou=people,${base}`
const groups = `ou=groups,${base}`

/** The account that searches. */
export const reader = { dn: `cn=reader,${base}`, password: 'reads all of it' }

/** A person of the directory. */
export interface Entry {
  readonly uid: string
  readonly cn?: string
  readonly mail?: string
  readonly password?: string
}

/** A running directory. */
export interface Directory {
  readonly port: number
  readonly tlsPort: number
  /** The file with `directoryCa`. */
  readonly caFile: string
  /** Settings of a provider for it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Adds a person; answers the name of the entry. */
  add(person: Entry): Promise<string>
  remove(uid: string): Promise<void>
  rename(uid: string, name: string): Promise<void>
  /** Makes the group of these people, in place of the one that was there. */
  group(name: string, uids: readonly string[], kind?: 'groupOfNames' | 'groupOfUniqueNames' | 'posixGroup'): Promise<void>
  /** Stops the server, and starts it again on the same ports. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Is `slapd` there? The reason to skip tests, else false. */
export async function directorySkip(): Promise<string | false> {
  const child = spawn(program, ['-VV'], { stdio: 'ignore' })
  const [ended] = await Promise.race([once(child, 'exit'), once(child, 'error')])
  return ended === 0 ? false : 'slapd is not installed on this machine'
}

/** The name of a person's entry. */
export const personDn = (uid: string): string => `${new DN().addPairRDN('uid', uid).toString()},${people}`

/** Starts a directory that ends with the file. */
export async function openDirectory(): Promise<Directory> {
  const folder = await testFolder()
  const [port, tlsPort] = await freePorts()
  const caFile = join(folder, 'ca.pem')
  const data = join(folder, 'data')
  await mkdir(data)
  const admin = { dn: `cn=admin,${base}`, password: 'writes all of it' }
  await Promise.all([
    writeFile(caFile, directoryCa),
    writeFile(join(folder, 'cert.pem'), certificate),
    writeFile(join(folder, 'key.pem'), key),
    writeFile(join(folder, 'slapd.conf'), configuration(folder, data, admin)),
  ])
  let child: ChildProcess | undefined
  const start = async () => {
    child = await startServer(port, ['-f', join(folder, 'slapd.conf'), '-h', `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`])
  }
  const stop = async () => {
    const running = child
    child = undefined
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill()
    await ended
  }
  atEnd(stop)
  await start()
  const write = async (work: (client: Client) => Promise<void>) => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` })
    await client.bind(admin.dn, admin.password)
    await work(client).finally(() => client.unbind())
  }
  await write(client => addBeginning(client))
  return {
    port,
    tlsPort,
    caFile,
    settings: {
      host: '127.0.0.1',
      port,
      encryption: 'start_tls',
      ca_file: caFile,
      bind_dn: reader.dn,
      password: reader.password,
      base: people,
      group_base: groups,
    },
    async add({ uid, cn = uid, mail = `${uid}@example.com`, password = passwordOf(uid) }) {
      const dn = personDn(uid)
      const about = { objectClass: ['inetOrgPerson'], uid, cn, sn: cn, ...(mail === '' ? {} : { mail }) }
      await write(client => client.add(dn, password === '' ? about : { ...about, userPassword: password }))
      return dn
    },
    remove: uid => write(client => client.del(personDn(uid))),
    rename: (uid, name) => write(client => client.modify(personDn(uid), change('replace', 'cn', [name]))),
    group: (name, uids, kind = 'groupOfNames') =>
      write(async client => {
        const dn = `cn=${name},${groups}`
        await client.del(dn).catch(() => undefined)
        if (uids.length > 0) await client.add(dn, { objectClass: [kind], cn: name, ...membersOf(kind, uids) })
      }),
    stop,
    start,
  }
}

/** The password of a person of the directory, unless another one was given. */
export const passwordOf = (uid: string): string => `the directory knows ${uid}`

const change = (operation: 'replace', type: string, values: string[]) =>
  new Change({ operation, modification: new Attribute({ type, values }) })

function membersOf(kind: string, uids: readonly string[]): Record<string, string[]> {
  if (kind === 'posixGroup') return { gidNumber: ['1000'], memberUid: [...uids] }
  return { [kind === 'groupOfNames' ? 'member' : 'uniqueMember']: uids.map(personDn) }
}

async function addBeginning(client: Client): Promise<void> {
  await client.add(base, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
  for (const dn of [people, groups]) await client.add(dn, { objectClass: 'organizationalUnit', ou: dn.slice(3, dn.indexOf(',')) })
  await client.add(reader.dn, { objectClass: ['applicationProcess', 'simpleSecurityObject'], cn: 'reader', userPassword: reader.password })
}

/** Ports that nobody listens on at this moment. */
async function freePorts(): Promise<readonly [number, number]> {
  const servers = [createServer(), createServer()]
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const [one, other] = servers.map(server => (server.address() as { port: number }).port) as [number, number]
  for (const server of servers) await once(server.close(), 'close')
  return [one, other]
}

async function startServer(port: number, args: readonly string[]): Promise<ChildProcess> {
  // With a level of debugging it stays in the foreground.
  const child = spawn(program, [...args, '-d', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-10_000)
  })
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`slapd did not start:\n${said}`)
    return answers(port)
  }, 'slapd to listen')
  return child
}

/** Does a server listen on this port? */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const configuration = (folder: string, data: string, { dn, password }: { dn: string; password: string }) => `
${['core', 'cosine', 'inetorgperson', 'nis'].map(name => `include ${schemas}/${name}.schema`).join('\n')}
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
database ldif
directory ${data}
suffix "${base}"
rootdn "${dn}"
rootpw "${password}"
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${reader.dn}" read by * none
`
