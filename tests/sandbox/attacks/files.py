"""Files of the server and of the system: read, written, linked, renamed, looked for behind other names."""

from tests.sandbox.attacks.entry import method, tries

FILES = "security-filesystem"

ATTACKS = (
    tries("reads a secret file", FILES, "open('@SECRET@').read()", "open('@OPEN@').read()"),
    tries("reads it with pathlib", FILES, "Path('@OPEN@').read_text()", before="from pathlib import Path"),
    tries(
        "reads it with os.open", FILES, "os.read(os.open('@OPEN@', os.O_RDONLY), 99)", "os.open('@OPEN@', os.O_RDWR)"
    ),
    tries("reads it with io", FILES, "io.FileIO('@OPEN@').read()", "io.open_code('@OPEN@').read()", before="import io"),
    tries("reads it with numpy", FILES, "numpy.fromfile('@OPEN@')", "numpy.memmap('@OPEN@')", before="import numpy"),
    tries("reads it with pandas", FILES, "pandas.read_csv('@OPEN@')", before="import pandas"),
    tries("maps it into memory", FILES, "mmap.mmap(os.open('@OPEN@', 0), 0)", before="import mmap"),
    tries(
        "reads the system's files",
        FILES,
        "open('/etc/passwd').read()",
        "open('/etc/shadow').read()",
        "open('/etc/hostname').read()",
        "open('/root/.bashrc').read()",
        "open('/var/log/dmesg').read()",
        "open('/sys/kernel/uevent_seqnum').read()",
        "os.listdir('/')",
        "os.listdir('/home')",
        "os.listdir('/tmp')",
        "os.listdir('/dev/shm')",
    ),
    tries("opens a folder as a way out", FILES, "os.open('/', os.O_RDONLY)", "os.open('..', os.O_RDONLY)"),
    tries(
        "goes up by a descriptor of a path",
        FILES,
        "open('@OPEN@', opener=lambda name, flags: os.open(name, flags, dir_fd=os.open('/', os.O_PATH))).read()",
        "os.listdir(os.open('/', os.O_PATH | os.O_DIRECTORY))",
        "os.open('/proc/self/fd/' + str(os.open('@OPEN@', os.O_PATH)), os.O_RDONLY)",
    ),
    tries(
        "goes up by its folder",
        FILES,
        "open('../../../../../../..@OPEN@').read()",
        "os.chdir('/') or open('@OPEN@'[1:]).read()",
        "os.listdir('..')",
    ),
    tries("names it strangely", FILES, "open('//../proc/self/root@OPEN@').read()", "open(b'/./@OPEN@').read()"),
    tries("writes outside", FILES, "open('@ROOM@/planted', 'w')", "open('@SHARED@', 'w')", "open('@SHARED@', 'a')"),
    tries(
        "writes where programs look for files",
        FILES,
        "open('/tmp/flowassist-planted', 'w')",
        "open('/dev/shm/flowassist-planted', 'w')",
        "open('/etc/cron.d/flowassist-planted', 'w')",
        "open(os.__file__, 'a')",
        "os.mkdir('/tmp/flowassist-planted')",
    ),
    tries("removes files", FILES, "os.unlink('@SHARED@')", "os.rmdir('@ROOM@')", "os.rmdir(os.getcwd())"),
    tries(
        "renames files",
        FILES,
        "os.rename('@SHARED@', 'mine')",
        "os.replace('@SHARED@', '@ROOM@/planted')",
        "(open('mine', 'w').close(), os.rename('mine', '@ROOM@/planted'))",
        "os.rename(os.getcwd(), '@ROOM@/planted')",
    ),
    tries(
        "links files",
        FILES,
        "os.symlink('/etc/passwd', 'link')",
        "os.symlink('/', 'root', target_is_directory=True)",
        "os.link('@OPEN@', 'hard')",
        "os.link('@SHARED@', 'hard')",
        "(open('mine', 'w').close(), os.link('mine', 'second'))",
        "(open('mine2', 'w').close(), os.link('mine2', '@ROOM@/planted'))",
    ),
    tries(
        "changes rights, owners and times",
        FILES,
        "os.chmod('@SHARED@', 0o777)",
        "os.chmod('.', 0o777)",
        "os.chown('.', 0, 0)",
        "os.utime('@SHARED@', (1, 1))",
        "os.setxattr('.', 'user.x', b'y')",
        "os.truncate('@SHARED@', 0)",
        "os.fchmod(os.open('mine', os.O_CREAT | os.O_WRONLY), 0o6777)",
    ),
    tries(
        "makes files that are none",
        FILES,
        "os.mkfifo('pipe')",
        "os.mknod('null', 0o20666, os.makedev(1, 3))",
        "os.mknod('disk', 0o60666, os.makedev(8, 0))",
        "os.mknod('plain')",
    ),
    tries(
        "opens devices",
        FILES,
        "os.open('/dev/mem', 0)",
        "os.open('/dev/kmsg', 0)",
        "os.open('/dev/tty', os.O_RDWR)",
        "os.open('/dev/ptmx', os.O_RDWR)",
        "os.open('/dev/vda', 0)",
        "os.open('/dev/fuse', os.O_RDWR)",
        "os.open('/dev/kvm', os.O_RDWR)",
        "os.open('/dev/net/tun', os.O_RDWR)",
        "os.open('/dev/userfaultfd', os.O_RDWR)",
    ),
    tries(
        "reads and writes /proc",
        FILES,
        "open('/proc/self/maps').read()",
        "open('/proc/self/mem', 'r+b')",
        "open('/proc/self/status').read()",
        "open('/proc/self/oom_score_adj', 'w')",
        "open('/proc/self/attr/current').read()",
        "open('/proc/kcore', 'rb')",
        "open('/proc/kallsyms').read()",
        "open('/proc/sysrq-trigger', 'w')",
        "open('/proc/sys/kernel/core_pattern', 'w')",
        "open('/proc/net/tcp').read()",
        "os.listdir('/proc')",
        "os.listdir('/proc/self/fd')",
    ),
    tries(
        "reads the memory and files of the parent",
        FILES,
        "open(f'/proc/{os.getppid()}/mem', 'rb')",
        "open(f'/proc/{os.getppid()}/maps').read()",
        "os.listdir(f'/proc/{os.getppid()}/fd')",
        "os.readlink(f'/proc/{os.getppid()}/cwd')",
        "os.readlink(f'/proc/{os.getppid()}/fd/1')",
        "open(f'/proc/{os.getppid()}/root@OPEN@').read()",
        "open(f'/proc/{os.getppid()}/cwd/outside').read()",
    ),
    tries(
        "reads the files of a process of its user",
        FILES,
        "open('/proc/@PID@/mem', 'rb')",
        "os.readlink('/proc/@PID@/cwd')",
        "os.readlink('/proc/@PID@/exe')",
        "open('/proc/@PID@/root@OPEN@').read()",
        "open('/proc/@SERVER@/cmdline').read()",
        "os.readlink('/proc/@SERVER@/cwd')",
    ),
    method(
        "keeps a file without a name",
        FILES,
        "done: (held|hi)",
        """
        try:
            unnamed = os.open(".", os.O_TMPFILE | os.O_RDWR)
        except OSError:
            return Message(text="held")
        os.write(unnamed, b"hi")
        return Message(text=os.pread(unnamed, 9, 0).decode())
        """,
    ),
    tries("makes a file outside without a name", FILES, "os.open('@ROOM@', os.O_TMPFILE | os.O_RDWR)"),
    tries(
        "locks and leases files of others",
        FILES,
        "fcntl.fcntl(open(os.__file__), fcntl.F_SETLEASE, fcntl.F_WRLCK)",
        "fcntl.fcntl(open('mine', 'w'), fcntl.F_SETLEASE, fcntl.F_WRLCK)",
        "fcntl.flock(open(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB)",
        "fcntl.fcntl(os.open('.', 0), fcntl.F_NOTIFY, 2)",
        before="import fcntl",
    ),
    method(
        "leaves a folder of any depth and strange names",
        FILES,
        "done: left",
        r"""
        for name in (b"\xff\xfe", b"a\nb", b"-rf", b"~", b" ", b"\\", "ü".encode(), b"n" * 255):
            os.mkdir(name)
            open(name + b"/" + name, "w").close()
        os.umask(0)
        os.mkdir("closed", 0)
        for _ in range(400):
            os.mkdir("d")
            os.chdir("d")
        return Message(text="left")
        """,
    ),
    method(
        "leaves folders under the names that cleaning up might use",
        FILES,
        "done: left",
        """
        for number in range(60):
            os.makedirs(f".moved-{number}-{os.getppid()}/a/b")
            os.makedirs(f".moved-{number}-@ZYGOTE@/a/b")
        return Message(text="left")
        """,
    ),
    tries(
        "loads a database and an archive from outside",
        FILES,
        "held_by_sqlite()",
        "tarfile.open('@OPEN@').getnames()",
        "shutil.copy('@OPEN@', 'mine')",
        "shutil.rmtree('@ROOM@')",
        "next(os.scandir('@ROOM@'))",
        before="""
        import shutil, sqlite3, tarfile

        def held_by_sqlite():
            try:
                return sqlite3.connect("@OPEN@").execute("select * from sqlite_master").fetchall()
            except sqlite3.Error as error:
                raise OSError(str(error)) from error
        """,
    ),
)
