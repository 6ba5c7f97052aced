//! Damages zip archives: bad members, wrong headers, and members that unpack to far more than their
//! size.

use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use std::sync::OnceLock;

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::damage;
use super::dice::Dice;
use super::target::Case;

/// Unpacked size of the largest members. The first is deflated, which is slow; the second is packed
/// as Zstandard.
const BOMB: usize = 700 << 20;
const ZSTANDARD_BOMB: usize = 3 << 30;
/// Memory limit for such an archive; readers must stop within it.
const UNPACKED: u64 = 1_500 << 20;
/// The compression method of Zstandard.
const ZSTANDARD: u16 = 93;

/// An unpacked member.
struct Member {
    name: String,
    bytes: Vec<u8>,
    zstandard: bool,
    /// Bytes that replace the packed bytes; `None` to pack the member normally.
    packed: Option<Vec<u8>>,
}

/// Returns a randomly damaged archive.
pub fn damaged(dice: &mut Dice, name: &str, bytes: &[u8]) -> Case {
    if dice.one_in(4) {
        return Case::of(name, damage::bytes(dice, bytes.to_vec()));
    }
    let mut members = members(bytes);
    let mut unpacked = 0;
    if dice.one_in(60) {
        bomb(dice, &mut members);
        unpacked = UNPACKED;
    } else if Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "eval")
        && dice.one_in(60)
    {
        members.extend((0..40).map(padded));
        unpacked = UNPACKED;
    } else {
        for _ in 0..=dice.below(2) {
            member(dice, &mut members);
        }
    }
    let mut whole = written(&members);
    if dice.one_in(3) {
        lie(dice, &mut whole);
    }
    if dice.one_in(6) {
        whole.truncate(dice.below(whole.len()));
    }
    Case {
        unpacked,
        ..Case::of(name, whole)
    }
}

fn members(bytes: &[u8]) -> Vec<Member> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else {
        return Vec::new();
    };
    let unpack = |number: usize| {
        let raw = archive.by_index_raw(number).unwrap();
        let (name, zstandard) = (
            raw.name().unwrap().into_owned(),
            raw.compression() != CompressionMethod::Deflated
                && raw.compression() != CompressionMethod::Stored,
        );
        let mut bytes = Vec::new();
        if zstandard {
            let mut packed = raw;
            while let Ok(mut frame) = StreamingDecoder::new(&mut packed) {
                frame.read_to_end(&mut bytes).unwrap();
            }
        } else {
            drop(raw);
            archive
                .by_index(number)
                .unwrap()
                .read_to_end(&mut bytes)
                .unwrap();
        }
        Member {
            name,
            bytes,
            zstandard,
            packed: None,
        }
    };
    let count = ZipArchive::new(Cursor::new(bytes)).unwrap().len();
    (0..count).map(unpack).collect()
}

/// Damages a member's text or name, or duplicates it.
fn member(dice: &mut Dice, members: &mut Vec<Member>) {
    let at = dice.below(members.len());
    let Some(found) = members.get_mut(at) else {
        return;
    };
    match dice.below(8) {
        0 => {
            let name = damage::text(dice, found.name.clone().into_bytes());
            found.name = String::from_utf8_lossy(&name).into_owned();
        }
        1 => {
            let (name, bytes) = (found.name.clone(), damage::text(dice, found.bytes.clone()));
            let zstandard = found.zstandard;
            members.push(Member {
                name,
                bytes,
                zstandard,
                packed: None,
            });
        }
        2 => found.zstandard = !found.zstandard,
        3 => found.packed = Some(damage::bytes(dice, packed(found))),
        4 => drop(members.remove(at)),
        _ => found.bytes = damage::text(dice, std::mem::take(&mut found.bytes)),
    }
    for member in members {
        member.name.truncate(60_000);
    }
}

/// Replaces a member by a huge one.
fn bomb(dice: &mut Dice, members: &mut [Member]) {
    let at = dice.below(members.len());
    if let Some(found) = members.get_mut(at) {
        found.packed = Some(if found.zstandard {
            runs()
        } else {
            spaces().to_vec()
        });
    }
}

/// A sample whose question consists of one letter, repeated fifty million times.
fn padded(number: usize) -> Member {
    let head = format!("{{\"id\": \"padded {number}\", \"epoch\": 1, \"input\": \"");
    let tail = "\", \"target\": \"a\", \"messages\": [], \"output\": {\"completion\": \"a\"}, \"scores\": {}}";
    let raw = |text: &str, last: u32| {
        let size = u32::try_from(text.len()).unwrap();
        [&(last | size << 3).to_le_bytes()[..3], text.as_bytes()].concat()
    };
    let letters = [&block(0)[..3], b"x"].concat().repeat(400);
    let frame = [FRAME.to_vec(), raw(&head, 0), letters, raw(tail, 1)].concat();
    Member {
        name: format!("samples/padded {number}_epoch_1.json"),
        bytes: Vec::new(),
        zstandard: true,
        packed: Some(frame),
    }
}

/// Start of a Zstandard frame with a window of two megabytes.
const FRAME: [u8; 6] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
/// Number of bytes in a run.
const RUN: u32 = 128 << 10;

/// Header of a block that repeats one byte.
fn block(last: u32) -> [u8; 4] {
    (last | 1 << 1 | RUN << 3).to_le_bytes()
}

/// A Zstandard frame of blocks that each repeat one byte 128 Ki times (RFC 8878, section 3.1.1).
fn runs() -> Vec<u8> {
    let spaces = |last| [&block(last)[..3], b" "].concat();
    let count = ZSTANDARD_BOMB / usize::try_from(RUN).unwrap();
    [FRAME.to_vec(), spaces(0).repeat(count), spaces(1)].concat()
}

/// Deflated spaces.
fn spaces() -> &'static [u8] {
    static SPACES: OnceLock<Vec<u8>> = OnceLock::new();
    SPACES.get_or_init(|| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("", SimpleFileOptions::default()).unwrap();
        let megabyte = vec![b' '; 1 << 20];
        for _ in 0..BOMB >> 20 {
            writer.write_all(&megabyte).unwrap();
        }
        let whole = writer.finish().unwrap().into_inner();
        let size = ZipArchive::new(Cursor::new(&whole))
            .unwrap()
            .by_index_raw(0)
            .unwrap()
            .compressed_size();
        let start = 30 + usize::from(u16::from_le_bytes([whole[28], whole[29]]));
        whole[start..start + usize::try_from(size).unwrap()].to_vec()
    })
}

fn packed(member: &Member) -> Vec<u8> {
    if let Some(packed) = &member.packed {
        return packed.clone();
    }
    if member.zstandard {
        return compress_to_vec(member.bytes.as_slice(), CompressionLevel::Fastest);
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("", SimpleFileOptions::default()).unwrap();
    writer.write_all(&member.bytes).unwrap();
    let mut archive = writer.finish_into_readable().unwrap();
    let mut bytes = Vec::new();
    archive
        .by_index_raw(0)
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

/// Writes the archive byte by byte, so that it can be invalid (APPNOTE.TXT, sections 4.3.7 to
/// 4.3.16).
fn written(members: &[Member]) -> Vec<u8> {
    let (mut whole, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        let packed = packed(member);
        let sum = checksum(&member.bytes);
        let method = if member.zstandard { ZSTANDARD } else { 8 };
        let mut head = Vec::new();
        head.extend(20_u16.to_le_bytes());
        head.extend(0x800_u16.to_le_bytes());
        head.extend(method.to_le_bytes());
        head.extend([0; 4]);
        head.extend(sum.to_le_bytes());
        head.extend(short(packed.len()));
        head.extend(short(member.bytes.len()));
        head.extend(u16::try_from(member.name.len()).unwrap().to_le_bytes());
        head.extend([0; 2]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(short(whole.len()));
        directory.extend(member.name.as_bytes());
        whole.extend(b"PK\x03\x04");
        whole.extend(&head);
        whole.extend(member.name.as_bytes());
        whole.extend(packed);
    }
    let start = short(whole.len());
    whole.extend(&directory);
    whole.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    whole.extend([count, count].concat());
    whole.extend(short(directory.len()));
    whole.extend(start);
    whole.extend([0; 2]);
    whole
}

fn short(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap().to_le_bytes()
}

/// CRC-32 (APPNOTE.TXT, section 4.4.7).
fn checksum(bytes: &[u8]) -> u32 {
    static TABLE: OnceLock<Vec<u32>> = OnceLock::new();
    let step = |sum: u32| (sum >> 1) ^ (0xEDB8_8320 * (sum & 1));
    let table = TABLE.get_or_init(|| {
        (0..256)
            .map(|byte| (0..8).fold(byte, |sum, _| step(sum)))
            .collect()
    });
    !bytes.iter().fold(!0, |sum, &byte| {
        table[usize::from(sum.to_le_bytes()[0] ^ byte)] ^ (sum >> 8)
    })
}

/// Overwrites a field of a header with another number.
fn lie(dice: &mut Dice, whole: &mut [u8]) {
    let starts: Vec<usize> = memchr::memmem::find_iter(whole, b"PK").collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(starts.len());
        let Some(start) = starts.get(at) else { return };
        let field = start + 4 + dice.below(40);
        let number = [0, 1, 0xffff, 0x7fff_ffff, 0xffff_ffff_u32][dice.below(5)];
        let width = [1, 2, 4][dice.below(3)];
        for (byte, new) in whole
            .iter_mut()
            .skip(field)
            .take(width)
            .zip(number.to_le_bytes())
        {
            *byte = new;
        }
    }
}
