/** Servers that build: they are notified of pushes and merge requests as hooks are. */
import { headerOf } from '../../hooks/switches.ts'
import { refIn } from '../payload.ts'
import type { Sender, Sending } from './sender.ts'

const zero = /^0+$/

const hookHeaders = ({ trigger }: Sending) => ({ 'X-Gitlab-Event': headerOf('project', trigger) })

/** Jenkins takes the body of a hook at the address of a job; an API token of a user needs no crumb. */
export const tellJenkins: Sender = async sending => {
  const job = sending.text('project_name').split('/').map(encodeURIComponent).join('/')
  await sending.call({
    url: sending.address('jenkins_url', `/project/${job}`),
    body: JSON.stringify(sending.payload),
    headers: { ...hookHeaders(sending), ...sending.basic() },
  })
}

/** Drone takes the body of a hook, with the token in the address. */
export const tellDrone: Sender = async sending => {
  const { object_attributes: item, after = '', project, object_kind } = sending.payload
  // Nothing is built of a branch that is gone, nor of a merge request that is closed.
  if (zero.test(after) && after !== '') return
  if (object_kind === 'merge_request' && !['open', 'reopen', 'update'].includes(item?.action ?? 'open')) return
  const at = project.path_with_namespace.lastIndexOf('/')
  const url = sending.address('drone_url', '/hook')
  url.searchParams.set('owner', project.path_with_namespace.slice(0, at))
  url.searchParams.set('name', project.path_with_namespace.slice(at + 1))
  url.searchParams.set('access_token', sending.text('token'))
  await sending.call({
    url,
    body: JSON.stringify(sending.payload),
    headers: hookHeaders(sending),
    verify: sending.flag('enable_ssl_verification'),
  })
}

const asXml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.codePointAt(0)};`)

/** TeamCity takes a build of the pushed branch into its queue. */
export const tellTeamCity: Sender = async sending => {
  const { payload } = sending
  const ref = refIn(payload)
  if (!ref || ref.isTag || zero.test(payload.after ?? '')) return
  const body = `<build branchName="${asXml(ref.name)}"><buildType id="${asXml(sending.text('build_type'))}"/></build>`
  await sending.call({
    url: sending.address('teamcity_url', '/httpAuth/app/rest/buildQueue'),
    body,
    headers: { 'Content-Type': 'application/xml', ...sending.basic() },
  })
}
