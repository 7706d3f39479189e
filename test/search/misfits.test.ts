import { expect, test } from 'vitest'
import { createMisfit } from '../../src/search/misfits.ts'

const misfit = (question: string, note: string) => createMisfit(question)?.(note)

test.each([
  [
    'what does the Tableau licence cost?',
    "Marketing's Tableau licence: 12 seats, renews 1 October, Anneke holds it.",
  ],
  ['how much is ARTE paying after the cut', 'ARTE pays only after picture lock.'],
  ['which price do the brownies have?', 'Gluten-free brownies are bought in from Clover & Co.'],
  [
    'how many orders were lost in the incident of 22 April?',
    'Incident 22 April: card payments failing. Fixed in 2.33.1.',
  ],
  ['how long does the bread machine take?', 'Bread machine: prog 4, 500 g flour, 320 ml water.'],
  ['what is the passcode of the Zoom room?', 'Handover is Monday 10:00 in the Zoom room.'],
  ['when did Mei get the air fryer?', 'Air fryer is mine but everyone may use it. Mei'],
])('%s — is told nothing of the kind by: %s', (question, note) => {
  expect(misfit(question, note)).toBe('untold')
})

test.each([
  [
    'what does the Tableau licence cost?',
    "Marketing's Tableau licence: 840 a year, Anneke holds the contract.",
  ],
  ['how much is the sauna', 'The sauna is free for members.'],
  ['how much did the fund give us?', 'Community fund: asked for 14,000, got 9,500 (April).'],
  ['almond croissant price', 'price list: croissant 2.10, almond 2.90'],
  ['how many boats may lie there', 'Fourteen boats may lie at the pontoon.'],
  ['how many boats may lie there', 'Two boats may lie at the pontoon.'],
  ['how long is the waiting time for motor cases?', 'Waiting time 9 working days, motor cases 15.'],
  ['how long is my card valid?', 'ID card is valid to 2031.'],
  ['which EKS version is prod-eu on?', 'Upgraded prod-eu to EKS 1.29 on 18 April.'],
  ['what is the code of the bike store?', 'Bike store in the back court: code 4417C.'],
  ['when is the machine descaled', 'The machine is descaled on Fridays.'],
  ['when is the audit', 'The audit is on the second Tuesday of May.'],
  ['What time zone are the timestamps in?', 'Timestamps: everything UTC.'],
  ['who pays the bill at the caterer?', 'Linh settles with the caterer.'],
])('%s — may be answered by: %s', (question, note) => {
  expect(misfit(question, note)).toBeUndefined()
})

test.each([
  [
    'why does kiosk 14 sign in as guest?',
    'Kiosk 14 signs in as guest twice an hour. Nobody had an idea why.',
  ],
  [
    'what caused the hum near the dam',
    'There is a hum at 24.5 Hz near the dam. What is it? No mast stands there.',
  ],
  [
    'Who leaves the shells on the pier?',
    'Shells on the pier every morning, and nobody knows who leaves them. Swept.',
  ],
  ['why are there two gateways in the test network', 'The test network has two gateways. Is there a reason?'],
  [
    'does the new system stop the recorder after six hours?',
    'Not known yet: does the new system stop the recorder after six hours?',
  ],
  ['who closes entries under the name wren', 'Wren closes entries on the tracker. A mystery.'],
])('%s — is asked and not told by: %s', (question, note) => {
  expect(misfit(question, note)).toBe('open')
})

test.each([
  ['when does kiosk 14 sign in as guest?', 'Kiosk 14 signs in as guest at noon. Nobody had an idea why.'],
  ['who programs new fobs', 'Lost the car park fob? Mr Dhillon programs new ones.'],
  ['why do we deploy every weekday', 'Deploys are daily, since nobody knew any more which change had hurt.'],
  ['which tool is on call for puzzles', 'Comparable puzzle games are on call, and refunds did not go up.'],
  ['where does the cellar code stand', 'The cellar code is not written down: ask at the door.'],
  ['why did the hum stop', 'What was the hum? The pump of the dairy, switched off since.'],
  ['the hum near the dam', 'A hum near the dam. What is it?'],
])('%s — is not left open by: %s', (question, note) => {
  expect(misfit(question, note)).toBeUndefined()
})

test.each([
  ['password of the production db', 'The password of the staging db is in 1Password.'],
  ['which port does the api use in prod?', 'The API listens on 3100 in development.'],
  ['what was the membership fee in 2021', 'Membership fee 2023: adults 120.'],
  ['ad budget for Pinterest in Q3', 'Ad budget Q2: Google 18,000, Pinterest 2,000.'],
  ['what was the Snowflake bill for March?', 'Snowflake bill for April: 6,140 USD.'],
  ["when is part two of Pip's exam?", 'Apprentice Pip: exam part one on 24 November.'],
  ['when was the roof of house C redone?', 'The roof of house A was redone in 2016.'],
  ['which blood thinner does Mrs Halloran take?', 'Mr Halloran: blood thinner (apixaban).'],
])('%s — is of another one than: %s', (question, note) => {
  expect(misfit(question, note)).toBe('other')
})

test.each([
  ['password of the production db', 'Passwords of the prod and staging dbs are in 1Password.'],
  ['what were the bills in June and July', 'June bill: 14,200.'],
  ['do we have a backup of the wiki', 'We have 3 backups of the wiki.'],
  ['does the office need a permit', 'The office needs 2 permits, Ana has them.'],
  ['what is to do before December', 'Change the pension plan by the end of November.'],
  ['what did we decide in 2023', 'Fee of 2023 decided on 3 May 2022.'],
  ['why was the deploy in March rolled back', 'The deploy was rolled back: a lock was held.'],
])('%s — is not of another one than: %s', (question, note) => {
  expect(misfit(question, note)).toBeUndefined()
})

test('most questions ask for nothing of the kind', () => {
  for (const question of [
    'how do we deploy?',
    'why is the cache disabled',
    'who owns the loan module',
    'the ISBN bug',
  ]) {
    expect(misfit(question, 'The garden gate squeaks.')).toBeUndefined()
  }
})

test.each([
  ['what does ERR_CONN_4418 mean', 'ERR_CONN_4417 means the pool was exhausted', 'other'],
  ['fault E-711 on the lift display', 'E-171 on the lift display: the encoder lost its reference', 'other'],
  ['when does release 4.19 go out', 'Release 4.18 goes out on Tuesday', 'other'],
  ['when does release 4.19 go out', 'Releases: 4.18 on Tuesday, 4.19 a week later', undefined],
  ['what broke in 5.2', 'v5.2.1 broke the importer', undefined],
  ['how long may the shaft be at 4.5 mm', 'A shaft of 3.5 mm may be 90 cm long', undefined],
  ['rate limit of the internal API', 'The public API allows 60 requests a minute', 'other'],
  ['what does an SMS cost in Finland', 'An SMS in Sweden costs 0.04 dollars', 'other'],
  ['when is the German translation due', 'The French and the German translation are due on 3 May', undefined],
  ['p99 of GET /refunds', 'p99 of POST /orders is 180 ms', 'other'],
  ['which torque do the green holds need', 'Purple holds 25 Nm, the yellow ones 18', 'other'],
  ['is there an Android edition', 'iOS and Android editions are out', undefined],
  ['what does E4012 mean', 'E4012: the reader is dirty; E4013: it is gone', undefined],
  ['is db-07 on the new switch', 'The new switch has db-03 to db-08 on it', 'other'],
  ['is db-07 on the new switch', 'db-07 is on the new switch', undefined],
])('a code is not another one of its series: %s — %s', (question, note, told) => {
  expect(misfit(question, note)).toBe(told)
})

test('what is too long to be one question is read by nobody, and quickly', () => {
  const long = '1.2.'.repeat(16_000)
  expect(createMisfit(`when ${long}`)).toBeUndefined()
  expect(misfit('which server is in room 7 in 2026', `room 8, 2025 ${long}`)).toBeUndefined()
})
