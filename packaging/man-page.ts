/** The manual page, out of the program and what people are told about it. Knows the man macros and nothing else. */
import type { Argument, Command, Option } from 'commander'
import { examplesOf, exitCodeMeanings, listedCommands } from '../src/cli/manual.ts'
import { environmentName, settingNames } from '../src/config/config.ts'

/** Text as troff prints it: no character of it is markup, and hyphens can be copied. */
const toRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')

const bold = (text: string): string => `\\fB${toRoff(text)}\\fR`

/** A term and what it means. */
const entry = (term: string, meaning: string): string => `.TP\n${term}\n${toRoff(meaning || '-')}`

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function optionEntries(command: Command): string[] {
  const help = command.createHelp()
  const options: Option[] = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return options.map((option) => entry(bold(option.flags), help.optionDescription(option)))
}

function commandLines(command: Command): string[] {
  const help = command.createHelp()
  const usage = help.commandUsage(command).replace(/ \[options\]/, '')
  const words: Argument[] = help.visibleArguments(command)
  const children = command.commands.filter((child) => child.name() !== 'help')
  if (children.length > 0) {
    return [
      `.SS ${toRoff(usage.replace(/ \[command\]/, ''))}`,
      toRoff(sentence(command.description())),
      ...children.flatMap(commandLines),
    ]
  }
  const shown = examplesOf(command.name())
  return [
    `.SS ${toRoff(usage)}`,
    toRoff(sentence(command.description())),
    ...words.map((word) => entry(bold(word.name()), help.argumentDescription(word))),
    ...optionEntries(command),
    ...(command.parent?.parent || shown.length === 0
      ? []
      : ['.PP', '.nf', '.RS', ...shown.map(toRoff), '.RE', '.fi']),
  ]
}

function inOrder(program: Command): Command[] {
  const byName = new Map(program.commands.map((command) => [command.name(), command]))
  return listedCommands.flatMap(({ name }) => {
    const command = byName.get(name)
    return command === undefined ? [] : [command]
  })
}

/** brain(1), of a program whose commands are all built in full. */
export function renderManPage(program: Command, version: string): string {
  return `${[
    '.\\" Made by `npm run generate` from the program; edits are overwritten.',
    `.TH BRAIN 1 "" "brain ${version}" "User Commands"`,
    '.SH NAME',
    `brain \\- ${toRoff(program.description().toLowerCase())}`,
    '.SH SYNOPSIS',
    `${bold('brain')} \\fIcommand\\fR [\\fIoptions\\fR]`,
    '.SH DESCRIPTION',
    toRoff(
      'Keeps notes, beliefs, predictions and warnings in one SQLite file below .brain/ of a directory, and finds them again by meaning. The brain in use is the one that --dir or BRAIN_DIR names, else the nearest .brain/ from the working directory upwards. One found so that belongs to another user is refused until it is named or trusted (see brain trust).',
    ),
    '.SH OPTIONS',
    'Every command takes these.',
    ...optionEntries(program),
    entry(bold('-h, --help'), 'show help'),
    '.SH COMMANDS',
    ...inOrder(program).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...exitCodeMeanings.map(([code, meaning]) => entry(bold(code), meaning)),
    '.SH ENVIRONMENT',
    entry(bold('BRAIN_DIR'), 'the directory that holds .brain/'),
    ...settingNames.map((name) => entry(bold(environmentName(name)), `the setting ${name}`)),
    entry(bold('NO_COLOR'), 'when not empty, no colours'),
    '.SH FILES',
    entry(bold('.brain/brain.db'), 'the brain'),
    entry(
      bold('.brain/config.json'),
      'settings of the project; what leads out of it counts once you trust it',
    ),
    entry(
      bold('$XDG_CONFIG_HOME/brain/config.json'),
      'your own settings; ~/.config when the variable is not set',
    ),
    entry(
      bold('$XDG_DATA_HOME/brain/trusted.json'),
      'the projects you trust; ~/.local/share when the variable is not set',
    ),
    entry(bold('$XDG_CACHE_HOME/brain/models'), 'downloaded models; ~/.cache when the variable is not set'),
  ].join('\n')}\n`
}
