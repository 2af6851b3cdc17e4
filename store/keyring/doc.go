// Package keyring keeps secret keys in files of their own, outside the archive: whoever
// copies the archive has no key of it.
//
//	<archive>.keys/            mode 0700
//	    server.key             signs checkpoints; made when it is first needed
//	    server-1.key           one that was replaced; its public half is in the archive
//	    person-NAME.key        signs statements, encrypted under the person's password
//
// Files have mode 0600. A file that others may read is refused, with the command that
// mends it: a key that was readable has to be taken for known.
package keyring
