/** Pushes made by hand, command by command: what no git client would send. */
import { createHash } from 'node:crypto'
import { flushPkt, pktLine, type RefMove, splitPkts } from '../src/platform/git/index.ts'
import type { Person, Scene, SceneProject } from './scene.ts'

/** Authorization of git over HTTP by a token. */
export const basic = ({ token }: Pick<Person, 'token'>) => ({ authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` })

const header = Buffer.from('5041434b0000000200000000', 'hex')

/** A pack without objects: everything that is pushed is there already. */
export const emptyPack = Buffer.concat([header, createHash('sha1').update(header).digest()])

/** What the server reports of a push. */
export interface RawReport {
  readonly status: number
  readonly unpack: string | undefined
  /** The lines of the report, `ok <ref>` or `ng <ref> <reason>`, in order. */
  readonly lines: readonly string[]
  readonly text: string
}

/** Sends exactly these commands to the repository of a project. */
export async function rawPush(
  scene: Pick<Scene, 'url'>,
  project: SceneProject,
  person: Pick<Person, 'token'>,
  commands: readonly RefMove[],
  { pack = emptyPack, capabilities = 'report-status' }: { readonly pack?: Buffer; readonly capabilities?: string } = {},
): Promise<RawReport> {
  const head = commands.map(({ old, new: target, ref }, index) =>
    pktLine(`${old} ${target} ${ref}${index === 0 ? `\0 ${capabilities}` : ''}`),
  )
  const response = await fetch(`${scene.url}/${project.full_path}.git/git-receive-pack`, {
    method: 'POST',
    headers: { ...basic(person), 'content-type': 'application/x-git-receive-pack-request' },
    body: Buffer.concat([...head, flushPkt, pack]),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const said = linesOf(bytes)
  return {
    status: response.status,
    unpack: said.find(line => line.startsWith('unpack '))?.slice('unpack '.length),
    lines: said.filter(line => /^(ok|ng) /.test(line)),
    text: bytes.toString('utf8'),
  }
}

function linesOf(bytes: Buffer): string[] {
  try {
    return splitPkts(bytes).pkts.flatMap(pkt => (pkt.type === 'data' ? [pkt.payload.toString('utf8').trimEnd()] : []))
  } catch {
    // A refusal before the exchange began: plain text.
    return []
  }
}
