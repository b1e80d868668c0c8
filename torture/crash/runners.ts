/** Runners that take jobs, write logs, deliver artifacts and end them. */
import { gzipSync } from 'node:zlib'
import type { Writer } from './world.ts'

interface Job {
  readonly id: number
  readonly token: string
}

/** Milliseconds after which the server itself fails a job that no runner speaks for. A run beside other parts comes to it, and answers do not say why a job failed. */
const LOST = 60 * 60_000

/** A turn of a runner: a job from its request to its end. A pipeline is made where there is no job. */
export const work =
  (index: number): Writer =>
  async ({ victim, ledger, projects, runners, handed, handedTwice, next }) => {
    const project = projects[0]!
    const asked = await victim.call('POST', '/jobs/request', { token: runners[index] }, { token: '' })
    if (asked.status === 204) await victim.call('POST', `/projects/${project.id}/pipeline`, { ref: 'main' })
    if (asked.status !== 201) return
    const { id, token } = (await asked.json()) as Job
    if (handed.has(id)) handedTwice.push(id)
    handed.add(id)
    const handedAt = performance.now()
    let reported: string | undefined
    const path = `/projects/${project.id}/jobs/${id}`
    ledger.add('jobs', path, 'running', async () => {
      const { status } = await victim.get<{ status: string }>(path)
      const isLost = status === 'failed' && reported !== 'failed' && performance.now() - handedAt > LOST
      return isLost ? 'running' : status
    })
    const headers = { 'job-token': token, 'content-type': 'text/plain' }
    let log = ''
    const trace = `${path}/trace`
    for (let part = 0; part < 3; part++) {
      const text = `part ${part} of ${next()}\n`
      const range = `${log.length}-${log.length + text.length - 1}`
      const send = () => victim.call('PATCH', `/jobs/${id}/trace`, text, { token: '', headers: { ...headers, 'content-range': range } })
      if (part === 0) {
        const answer = await send()
        if (answer.status !== 202) return
        ledger.add('job logs', trace, text, async () => (await victim.call('GET', trace)).text())
      } else {
        const answer = await ledger.change(trace, log + text, send)
        if (answer.status !== 202) return
      }
      log += text
    }
    const form = new FormData()
    const report = `<testsuites><testsuite name="${id}"><testcase name="it" classname="a"/></testsuite></testsuites>`
    const packed = gzipSync(report)
    form.set('file', new Blob([packed]), 'junit.xml.gz')
    const sending = { token: '', headers: { 'job-token': token } }
    const sent = await victim.call('POST', `/jobs/${id}/artifacts?artifact_type=junit&artifact_format=gzip`, form, sending)
    if (sent.status === 201) {
      const kept = `${path} artifacts`
      type WithArtifacts = { artifacts: { file_type: string; size: number }[] }
      const sizeOf = async () =>
        String((await victim.get<WithArtifacts>(path)).artifacts.find(({ file_type }) => file_type === 'junit')?.size)
      ledger.add('artifacts', kept, String(packed.length), sizeOf)
    }
    const state = next() % 3 === 0 ? 'failed' : 'success'
    reported = state
    await ledger.change(path, state, () => victim.call('PUT', `/jobs/${id}`, { token, state }, { token: '' }))
  }
