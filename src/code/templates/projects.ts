/** Templates of projects: what the first commit has beside its README, from the templates of files. */
import { invalid } from '../../platform/kernel/errors.ts'
import { catalogues } from './catalogues.ts'

interface ProjectTemplate {
  readonly title: string
  /** Keys of the catalogues. */
  readonly gitignore: string
  readonly ci: string
  readonly dockerfile: string
}

/** By the name that `template_name` takes. */
export const projectTemplates: Readonly<Record<string, ProjectTemplate>> = {
  nodejs: { title: 'Node.js', gitignore: 'Node', ci: 'Nodejs', dockerfile: 'Node' },
  python: { title: 'Python', gitignore: 'Python', ci: 'Python', dockerfile: 'Python' },
  go: { title: 'Go', gitignore: 'Go', ci: 'Go', dockerfile: 'Golang' },
  rust: { title: 'Rust', gitignore: 'Rust', ci: 'Rust', dockerfile: 'Rust' },
  java: { title: 'Java with Maven', gitignore: 'Maven', ci: 'Maven', dockerfile: 'Java-Maven' },
  ruby: { title: 'Ruby', gitignore: 'Ruby', ci: 'Ruby', dockerfile: 'Ruby' },
}

/** A file of a template. */
export interface TemplateFile {
  readonly path: string
  readonly content: string
}

/**
 * The files of a template beside the README.
 * @throws Refusal 400 for a name that none has
 */
export async function filesOfTemplate(name: string): Promise<readonly TemplateFile[]> {
  const template = Object.hasOwn(projectTemplates, name) ? projectTemplates[name] : undefined
  if (!template) throw invalid({ template_name: ['is unknown or invalid'] })
  const found = await Promise.all([
    catalogues.gitignores.find(template.gitignore),
    catalogues.gitlab_ci_ymls.find(template.ci),
    catalogues.dockerfiles.find(template.dockerfile),
  ])
  return ['.gitignore', '.gitlab-ci.yml', 'Dockerfile'].map((path, index) => {
    const file = found[index]
    if (!file) throw new Error(`the template ${name} has no ${path}`)
    return { path, content: file.content }
  })
}
