/**
 * Warnings, and four steps to hold each against: the same in other words, another action on the same thing, the same
 * action on another thing, and none of it. The second half was written down before the rule that it tries, and did not
 * shape it.
 */

export interface Warning {
  readonly flag: string
  readonly paraphrase: string
  readonly otherAction: string
  readonly otherObject: string
}

const toWarning = ([flag, paraphrase, otherAction, otherObject]: readonly [
  string,
  string,
  string,
  string,
]): Warning => ({ flag, paraphrase, otherAction, otherObject })

export const shaping: readonly Warning[] = (
  [
    [
      'Deleting the customer table lost a week of orders',
      'drop the table of customers',
      'add an index to the customer table',
      'delete the old screenshots',
    ],
    [
      'Never drop the users table without a fresh backup: we lost a day of sign-ups in March',
      'delete the users table from the database',
      'document the columns of the users table',
      'drop the unused CSS class',
    ],
    [
      'Do not deploy on Friday afternoon, nobody is there to roll back',
      'ship a release late on Friday',
      'have lunch with the team on Friday afternoon',
      'deploy the documentation to the preview site',
    ],
    [
      'Force-pushing to main destroyed the release history twice',
      'git push --force origin main',
      'read the log of the main branch',
      'push the docker image to the registry',
    ],
    [
      'Rotating the API keys breaks the mobile clients until they update',
      'replace the API keys of the mobile apps',
      'list the API keys of the mobile clients',
      'rotate the log files weekly',
    ],
    [
      'Restarting the Redis cache logs every customer out',
      'reboot the redis server',
      'measure the hit rate of the Redis cache',
      'restart the local web server',
    ],
    [
      'The nightly import must not run twice, it books every invoice again',
      'start the import of invoices a second time',
      'write a test for the nightly import',
      'run the linter twice',
    ],
    [
      'Upgrading Node on the build servers broke native modules for a week',
      'install a newer Node version on the CI servers',
      'check which Node version the build servers have',
      'upgrade the eslint plugin',
    ],
    [
      'Disabling certificate checks to make a test pass went to production once',
      'turn off TLS certificate verification',
      'renew the TLS certificate before it expires',
      'disable the dark theme',
    ],
    [
      'Deleting the S3 bucket broke all customer uploads',
      'remove the bucket with the uploads',
      'list the objects in the S3 bucket',
      'delete a stale feature branch',
    ],
    [
      'Do not commit secrets or API keys to the repository',
      'check credentials into git',
      'read the secrets from the vault at start',
      'commit the updated changelog',
    ],
    [
      'Running migrations during peak hours locked the database',
      'alter the schema while traffic is high',
      'count the requests during peak hours',
      'run the unit tests during the build',
    ],
    [
      'Renaming the public API endpoints broke every partner integration',
      'change the names of the public endpoints',
      'describe the public API endpoints in the handbook',
      'rename a local variable',
    ],
    [
      'Emailing all customers from the staging system caused a flood of complaints',
      'send a mail to every customer from staging',
      'export the customers of the staging system to a report',
      'email the designer about the logo',
    ],
    [
      'Truncating the audit log is a compliance violation',
      'wipe the audit log',
      'search the audit log for failed logins',
      'truncate the preview text at 80 characters',
    ],
    [
      'Changing the DNS records of the shop took it offline for six hours',
      'modify the DNS entries of the shop',
      'look up the DNS records of the shop',
      'change the font of the footer',
    ],
    [
      'Stopping the payment worker left half-booked orders behind',
      'kill the payment worker process',
      'add a metric to the payment worker',
      'stop the timer in the animation',
    ],
    [
      'Editing the vendored library by hand was lost at the next update',
      'patch the vendored library directly',
      'read the source of the vendored library',
      'edit the copy of the landing page',
    ],
    [
      'Turning on debug logging in production filled the disk',
      'enable verbose logs in production',
      'ship the production logs to the archive',
      'turn on notifications for the release channel',
    ],
    [
      'Merging without a review introduced the login bug',
      'merge the branch though nobody looked at it',
      'ask for a review of the login form',
      'merge two duplicate tickets',
    ],
    [
      'Granting admin rights to contractors leaked the price list',
      'give contractors admin permissions',
      'list the contractors who start in May',
      'grant read access to the wiki',
    ],
    [
      'Resetting the counter of invoice numbers made duplicates',
      'set the invoice number sequence back to zero',
      'print the invoice number in the footer',
      'reset the scroll position of the list',
    ],
    [
      'Reformatting the whole code base in one commit made every open branch conflict',
      'run the formatter over all files at once',
      'explain the code base to the new colleague',
      'reformat the table in the readme',
    ],
    [
      'Disabling foreign keys for a bulk load corrupted the order history',
      'switch off foreign key constraints for the import',
      'add a foreign key from orders to customers',
      'disable the telemetry',
    ],
  ] satisfies [string, string, string, string][]
).map(toWarning)

export const shapingUnrelated = [
  'write the minutes of the team meeting',
  'choose a colour for the settings icon',
  'translate the welcome page into Spanish',
  'order new chairs for the office',
  'compress the pictures of the landing page',
  'plan the stand for the trade fair',
  'explain recursion to a student',
  'fix a spelling mistake in the changelog',
  'draw a diagram of the billing flow',
  'reply to the newsletter question about pricing',
  'sort the list of countries by name',
  'book a room for the workshop',
  'summarise the interview notes',
  'pick a name for the new mascot',
  'measure how fast the parser is',
  'update the year in the footer',
  'learn how closures work',
  'cache the result of the weather lookup',
  'add keyboard shortcuts to the editor',
  'refactor the date picker',
]

export const heldOut: readonly Warning[] = (
  [
    [
      'Purging the message queue lost 3,000 unsent orders',
      'empty the message queue',
      'monitor the length of the message queue',
      'purge the browser cache',
    ],
    [
      'Removing the feature flag for checkout broke the old mobile app',
      'delete the checkout feature toggle',
      'document the feature flag for checkout',
      'remove a trailing comma',
    ],
    [
      'Never change the primary key of the orders table',
      'alter the primary key column of orders',
      'show the primary key of the orders table in the diagram',
      'change the caption of the button',
    ],
    [
      'Killing the database process during a vacuum corrupted an index',
      'terminate postgres while it vacuums',
      'schedule a vacuum of the database for Sunday',
      'kill the idle terminal session',
    ],
    [
      'Rebasing the release branch confused the build and lost two fixes',
      'rewrite the history of the release branch',
      'tag the release branch',
      'rebase my feature branch',
    ],
    [
      'Publishing the npm package by hand shipped the test fixtures',
      'manually release the npm package',
      'read the download numbers of the npm package',
      'publish the meeting notes',
    ],
    [
      'Lowering the timeout of the payment gateway caused double charges',
      'reduce the payment gateway timeout',
      'log the response time of the payment gateway',
      'lower the volume of the alert sound',
    ],
    [
      'Opening port 22 to the internet got a server hacked',
      'expose ssh to the public internet',
      'close port 22 in the firewall',
      'open the settings page in a new tab',
    ],
    [
      'Overwriting the production config with the staging one stopped all logins',
      'copy the staging configuration over production',
      'compare the production config with the staging one',
      'overwrite the draft of the blog post',
    ],
    [
      'Moving user avatars to another bucket broke every profile page',
      'migrate the avatars to a different bucket',
      'crop user avatars to a square',
      'move the button to the left',
    ],
    [
      'Revoking the deploy token blocked the hotfix',
      'invalidate the deployment token',
      'store the deploy token in the vault',
      'revoke the invitation of a guest',
    ],
    [
      'Skipping the tests to save time let the tax bug through',
      'leave out the test suite to be faster',
      'write more tests for the tax module',
      'skip the intro video',
    ],
    [
      'Increasing the number of workers exhausted the database connections',
      'raise the worker count',
      'count the busy database connections',
      'increase the line height',
    ],
    [
      'Unmounting the backup volume during a backup made it useless',
      'detach the backup disk while it is being written',
      'measure the free space of the backup volume',
      'unmount the component after the test',
    ],
    [
      'Deleting old user accounts removed their shared documents as well',
      'erase accounts of former users',
      'count the old user accounts',
      'delete the temporary folder',
    ],
    [
      'Merging the dependency bot pull requests unseen brought in malware',
      'accept dependency updates without looking',
      'label the dependency bot pull requests',
      'merge the two changelog sections',
    ],
    [
      'Clearing the CDN cache at noon took the site down',
      'flush the CDN at midday',
      'configure a longer lifetime in the CDN cache',
      'clear the search field after submit',
    ],
    [
      'Sharing the customer list by email broke the privacy law',
      'mail the list of customers to someone',
      'sort the customer list by name',
      'share the slides of the talk',
    ],
    [
      'Hard-coding the exchange rate cost us 20,000 euros',
      'write the exchange rate into the source as a constant',
      'fetch the exchange rate from the bank every hour',
      'hard-code the width of the sidebar',
    ],
    [
      'Switching off the firewall for a debugging session was forgotten for a month',
      'disable the firewall while debugging',
      'add a rule to the firewall',
      'switch off the office lights',
    ],
  ] satisfies [string, string, string, string][]
).map(toWarning)

export const heldOutUnrelated = [
  'write a haiku about autumn',
  'choose a chart library',
  'improve the contrast of the headline',
  'invite the new hire to lunch',
  'estimate the effort for the map view',
  'convert the temperatures to Fahrenheit',
  'review the wording of the error page',
  'profile the image decoder',
  'practise the presentation',
  'collect feedback on the prototype',
  'clean up the whiteboard',
  'add a unit test for the slug function',
  'find a venue for the summer party',
  'reorder the sections of the manual',
  'count words in a text file',
  'play a sound when the timer ends',
  'support right-to-left text',
  'generate a thumbnail of the video',
  'look for typos in the tutorial',
  'draw the company logo as vector art',
]
