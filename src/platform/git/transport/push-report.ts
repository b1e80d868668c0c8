/**
 * The report at the end of a push: what became of each command (`report-status`, in both versions). Verdicts are kept in the order of the
 * commands and never by the name of a reference: two commands may have one name, and each has a verdict of its own.
 */
import type { RefMove } from '../refs/loose-refs.ts'
import { flushPkt, pktLine, sideband, splitPkts } from './pkt-line.ts'
import { hasCapability, type PushRequest } from './push-request.ts'

/** The outcome of one command. `refusal` is the message to the client; undefined if the reference was moved. */
export interface PushResult extends RefMove {
  readonly refusal: string | undefined
}

export interface PushReport {
  /** `ok`, or why the pack could not be read. */
  readonly unpack: string
  /** One for each command, in order: undefined if it was carried out, otherwise why not. */
  readonly refusals: readonly (string | undefined)[]
}

/** What git reports of one command; `refusal` is undefined if it was carried out. */
export interface Verdict {
  readonly refusal: string | undefined
}

/** git's own report. `verdicts` has an entry for each command, in order; undefined where git reports nothing of it. */
export interface GitReport {
  readonly unpack: string
  readonly verdicts: readonly (Verdict | undefined)[]
}

/**
 * Reads git's own report (the pkt-lines inside side band 1). undefined if git ended without one.
 * @param commands what git was given: it reports on each, in the same order
 */
export function parseReport(data: Buffer, commands: readonly RefMove[]): GitReport | undefined {
  let unpack: string | undefined
  const verdicts: (Verdict | undefined)[] = []
  for (const pkt of splitPkts(data).pkts) {
    if (pkt.type !== 'data') continue
    const line = pkt.payload.toString('utf8').replace(/\n$/, '')
    const [word, ref = ''] = line.split(' ', 2)
    if (word === 'unpack') unpack = line.slice('unpack '.length)
    if (word !== 'ok' && word !== 'ng') continue
    // A line that is not about the command at its place says nothing about it.
    const isExpected = commands[verdicts.length]?.ref === ref
    verdicts.push(isExpected ? { refusal: word === 'ok' ? undefined : line.slice(`ng ${ref} `.length) } : undefined)
  }
  return unpack === undefined ? undefined : { unpack, verdicts }
}

/** The report as the client wants it; empty if it wants none. Commands in the order of the request. */
export function formatReport(request: PushRequest, { unpack, refusals }: PushReport): Buffer {
  const sidebanded = hasCapability(request, 'side-band-64k')
  if (!wantsReport(request)) return sidebanded ? flushPkt : Buffer.alloc(0)
  const report = Buffer.concat([
    pktLine(`unpack ${oneLine(unpack)}\n`),
    ...request.commands.map(({ ref }, index) => {
      const refusal = refusals[index]
      return pktLine(refusal === undefined ? `ok ${ref}\n` : `ng ${ref} ${oneLine(refusal)}\n`)
    }),
    flushPkt,
  ])
  return sidebanded ? Buffer.concat([sideband(1, report), flushPkt]) : report
}

/** A last word before the connection ends without a report. */
export function formatFatal(request: Pick<PushRequest, 'capabilities'> | undefined, message: string): Buffer {
  const line = `${oneLine(message)}\n`
  return request !== undefined && hasCapability(request, 'side-band-64k')
    ? Buffer.concat([sideband(3, line), flushPkt])
    : pktLine(`ERR ${line}`)
}

function wantsReport(request: PushRequest): boolean {
  return hasCapability(request, 'report-status') || hasCapability(request, 'report-status-v2')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 1000)
}
