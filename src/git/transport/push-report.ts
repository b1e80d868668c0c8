/** The report at the end of a push: what became of each reference (`report-status`, in both versions). */
import { flushPkt, pktLine, sideband, splitPkts } from './pkt-line.ts'
import { hasCapability, type PushRequest } from './push-request.ts'

export interface PushReport {
  /** `ok`, or why the pack could not be read. */
  readonly unpack: string
  /** By reference: undefined if it was moved, otherwise why not. */
  readonly refusals: ReadonlyMap<string, string | undefined>
}

/** Reads git's own report (the pkt-lines inside side band 1). undefined if git ended without one. */
export function parseReport(data: Buffer): PushReport | undefined {
  let unpack: string | undefined
  const refusals = new Map<string, string | undefined>()
  for (const pkt of splitPkts(data).pkts) {
    if (pkt.type !== 'data') continue
    const line = pkt.payload.toString('utf8').replace(/\n$/, '')
    const [word, ref = ''] = line.split(' ', 2)
    if (word === 'unpack') unpack = line.slice('unpack '.length)
    else if (word === 'ok') refusals.set(ref, undefined)
    else if (word === 'ng') refusals.set(ref, line.slice(`ng ${ref} `.length))
  }
  return unpack === undefined ? undefined : { unpack, refusals }
}

/** The report as the client wants it; empty if it wants none. References in the order of the request. */
export function formatReport(request: PushRequest, { unpack, refusals }: PushReport): Buffer {
  const sidebanded = hasCapability(request, 'side-band-64k')
  if (!wantsReport(request)) return sidebanded ? flushPkt : Buffer.alloc(0)
  const report = Buffer.concat([
    pktLine(`unpack ${oneLine(unpack)}\n`),
    ...request.commands.map(({ ref }) => {
      const refusal = refusals.get(ref)
      return pktLine(refusal === undefined ? `ok ${ref}\n` : `ng ${ref} ${oneLine(refusal)}\n`)
    }),
    flushPkt,
  ])
  return sidebanded ? Buffer.concat([sideband(1, report), flushPkt]) : report
}

/** A last word before the connection ends without a report. */
export function formatFatal(request: PushRequest | undefined, message: string): Buffer {
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
