/** The badges of the default branch, ready to copy. */
import type { Context } from '../../../platform/kernel/context.ts'
import { copyField } from '../../../platform/pages/components/copy.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import type { OfProject } from './declared.ts'

const kinds = [
  ['pipeline', 'Pipeline'],
  ['coverage', 'Test coverage'],
] as const

/** Each badge as it is now, with the Markdown and the HTML that show it elsewhere. */
export function statusBadges({ url, project }: Context & OfProject): Html {
  const branch = project.default_branch ?? 'main'
  const path = `/${project.full_path}/badges/${branch.split('/').map(encodeURIComponent).join('/')}`
  const leads = `${url}${projectPath(project, `/-/pipelines?ref=${encodeURIComponent(branch)}`)}`
  return html`<div class="stack">${kinds.map(([kind, name]) => {
    const image = `${path}/${kind}.svg`
    return html`<section><h3>${name}</h3><p class="badge-link"><img src="${image}" alt="${name} of ${branch}" height="20"></p><div class="stack">${copyField(`${name}: Markdown`, `[![${kind}](${url}${image})](${leads})`)}${copyField(`${name}: HTML`, html`<a href="${leads}"><img alt="${kind}" src="${url}${image}"></a>`.text)}</div></section>`
  })}<p class="muted small">Another branch or tag takes the place of <code>${branch}</code> in the address. <code>?key_text=</code> changes what the left half says, <code>?style=flat-square</code> its corners, and <code>?job=</code> names the job whose coverage is shown.</p></div>`
}
