/** What stands in place of the editor where there is no CI file: what it is for, and templates to begin with. */
import { catalogues } from '../../code/templates/catalogues.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { editorPath } from './scope.ts'

/** The template that is for all. */
const PLAIN = 'Getting-Started'

/** The file begins with nothing. */
export const EMPTY = 'empty'

const titles: Readonly<Record<string, string>> = {
  [PLAIN]: 'Three stages, with comments',
  Maven: 'Java with Maven',
  Nodejs: 'Node.js',
  'Static-Site': 'Static site',
}

/** The text of a template; undefined where there is none of this name. */
export async function templateText(name: string): Promise<string | undefined> {
  return name === EMPTY ? '' : (await catalogues.gitlab_ci_ymls.find(name))?.content
}

interface Offered {
  readonly name: string
  /** The comment in the first line. */
  readonly says: string
}

async function offeredTemplates(): Promise<readonly Offered[]> {
  const { list, find } = catalogues.gitlab_ci_ymls
  const names = (await list()).map(({ key }) => key)
  const texts = await Promise.all(names.map(name => find(name)))
  const all = names.map((name, at) => ({ name, says: /^# (.*)/.exec(texts[at]?.content ?? '')?.[1] ?? '' }))
  return [...all.filter(({ name }) => name === PLAIN), ...all.filter(({ name }) => name !== PLAIN)]
}

/** A first CI file of a branch. */
export async function beginView(project: { readonly full_path: string }, branch: string, path: string): Promise<Html> {
  const link = (template: string, title: string) => html`<a href="${editorPath(project, branch, { template })}">${title}</a>`
  return html`<div class="empty panel">${icon('workflow')}<h2>No CI file on ${branch} yet</h2><p><code>${path}</code> says what is built, tested and deployed. Each push then makes a pipeline: its jobs run on a runner, and their results are shown here and in merge requests.</p></div>
<section class="section" aria-labelledby="templates"><h2 id="templates">Begin with a template</h2><p class="muted">You see it first and change what you like; nothing is committed yet. Those with an <code>image</code> want a runner that starts containers. The one that comes along with Ingot does where podman or docker is installed, and else runs their scripts with what its machine has.</p>
<ul class="cards">${(await offeredTemplates()).map(({ name, says }) => html`<li class="panel"><h3>${link(name, titles[name] ?? name)}</h3><p class="muted small">${says}</p></li>`)}<li class="panel"><h3>${link(EMPTY, 'An empty file')}</h3><p class="muted small">Keys are completed while you type, and mistakes are marked.</p></li></ul></section>`
}
