import type { ForeignNote } from '../../engine/config/modules/foreign.ts'
import type { Path } from '../../engine/schema/json.ts'
import { isUnmapped, type Scope } from './mapping/mapping.ts'
import { subjectsIn } from './rules/subjects.ts'
import { say as sayOfRules } from './rules/words.ts'
import { say } from './words.ts'

/** Whether any configuration is a default: GitHub has one for each, so which should be one the file cannot say. */
const ofConfigurations = 'default_code_security_configurations_disabled'

const info = (path: Path, code: string, diagnostic: ReturnType<typeof say>): ForeignNote => ({
  ...diagnostic,
  code,
  level: 'info',
  path,
})

const ofSettings = ({ organisation: { settings } }: Scope): readonly ForeignNote[] =>
  settings[ofConfigurations] === undefined
    ? []
    : [info(['settings', ofConfigurations], 'API-2', say('ofConfigurations', ofConfigurations))]

/** Secrets that only have to exist, because nobody says where their value is. */
const ofSecrets = ({ organisation, secrets }: Scope): readonly ForeignNote[] =>
  subjectsIn(organisation).flatMap(({ kind, value, path }): readonly ForeignNote[] => {
    const [field, text] =
      kind === 'secret' ? ['value', value.value] : kind === 'webhook' ? ['secret', value.secret] : ['']
    if (!isUnmapped(text, secrets)) return []
    return [{ ...sayOfRules('SEC-5', text ?? ''), code: 'SEC-5', level: 'warning', path: [...path, field] }]
  })

const ofTemplates = ({ organisation }: Scope): readonly ForeignNote[] =>
  (organisation.repositories ?? []).flatMap(({ post_process_template_content: files = [] }, index) =>
    files.length === 0
      ? []
      : [
          info(
            ['repositories', index, 'post_process_template_content'],
            'API-3',
            say('notDone', 'post_process_template_content'),
          ),
        ],
  )

/** What a person should know besides the rules: each said once. */
export const notesOn = (scope: Scope): readonly ForeignNote[] => [
  ...ofSettings(scope),
  ...ofSecrets(scope),
  ...ofTemplates(scope),
]
