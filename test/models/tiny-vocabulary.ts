/** A few word pieces as a tokenizer.json. */

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** [PAD], [UNK], punctuation, letters alone and inside a word, and some words and pieces. */
export const pieces: readonly string[] = [
  '[PAD]',
  '[UNK]',
  ...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ...letters,
  ...[...letters].map((letter) => `##${letter}`),
  ...[
    'the',
    'deploy',
    'database',
    'connection',
    'timeout',
    'note',
    'running',
    'run',
    'user',
    'cafe',
    'naive',
  ],
  ...['##ing', '##ed', '##tion', 'straße', '中', '文', '€', 'οδοσ', '##€'],
]

export const tokenizerJson = (vocabulary: readonly string[] = pieces): string =>
  JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]'].map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
    },
  })
